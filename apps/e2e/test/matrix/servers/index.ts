import type { JsonObject, Server } from 'rxmcp';
import { abilities } from './abilities.js';
import { appLog } from './app-log.js';
import { asking } from './asking.js';
import { basic } from './basic.js';
import { chinese } from './chinese.js';
import { failing } from './failing.js';
import { ownMethods } from './own-methods.js';
import { paths } from './paths.js';
import { project } from './project.js';
import { shelf } from './shelf.js';
import { templates } from './templates.js';
import { toolbox } from './toolbox.js';
import { workflows } from './workflows.js';

/** The descriptions that a scenario may name; options are JSON, so that they reach a child process too. */
const servers = {
  abilities,
  'app-log': appLog,
  asking,
  basic,
  chinese,
  failing,
  'own-methods': ownMethods,
  paths,
  project,
  shelf,
  templates,
  toolbox,
  workflows,
} satisfies Record<string, (options: JsonObject) => Server>;

export type ServerName = keyof typeof servers;

/** Makes a server by its name. Throws a TypeError for an unknown one. */
export function serverNamed(name: string, options: JsonObject): Server {
  if (!Object.hasOwn(servers, name)) throw new TypeError(`no server is called "${name}"`);
  return servers[name as ServerName](options);
}
