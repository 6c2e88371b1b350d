import type { Workspace } from './workspace.js';
import {
  importsFollowTheLayers,
  importsAreDeclared,
  internalStaysInside,
  pathsStayInside,
} from './import-rules.js';
import { everyFolderHasALine, noPackageDependsOnAnApp, siblingsAreExact } from './manifest-rules.js';
import { dependenciesFollowTheLayers, oneVersion, rxjsIsTheOnlyPeer } from './manifest-rules.js';
import { importsFormNoCircle } from './circle-rule.js';
import { foldersImportDown } from './folder-layers.js';
import { graphIsAcyclic } from './graph-rule.js';
import { nodeStaysBehindItsDoor } from './node-rule.js';
import { rootsHaveEntriesOnly } from './root-rule.js';
import { dependenciesAreUsed } from './superfluous-rule.js';
import {
  citationsHaveOneForm,
  datedVersionsStayInEras,
  filesAreShort,
  observablesAreBornInStreams,
} from './source-rules.js';

/** Returns one sentence per violation. */
export type Rule = (workspace: Workspace) => readonly string[];

export const rules: Readonly<Record<string, Rule>> = {
  'every package has a line in the dependency rule': everyFolderHasALine,
  'imports follow the dependency rule': importsFollowTheLayers,
  'every import is declared in package.json': importsAreDeclared,
  'relative imports stay inside their package': pathsStayInside,
  'folders of a package import what is below them': foldersImportDown,
  'imports form no circle': importsFormNoCircle,
  'roots of packages with folders have entries only': rootsHaveEntriesOnly,
  'internal entries are for siblings, not for apps': internalStaysInside,
  'dependencies follow the dependency rule': dependenciesFollowTheLayers,
  'every dependency is imported': dependenciesAreUsed,
  'siblings are exact dependencies': siblingsAreExact,
  'rxjs is the only peer': rxjsIsTheOnlyPeer,
  'the project has one version': oneVersion,
  'no package depends on an app': noPackageDependsOnAnApp,
  'the graph has no cycle, devDependencies included': graphIsAcyclic,
  'node: is only reached from stdio and node subpaths': nodeStaysBehindItsDoor,
  'dated version strings of core stay in eras': datedVersionsStayInEras,
  'new Observable only in core/src/streams': observablesAreBornInStreams,
  'no file is longer than 300 lines': filesAreShort,
  'citations of the protocol have one form': citationsHaveOneForm,
};
