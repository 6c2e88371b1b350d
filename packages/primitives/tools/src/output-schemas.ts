import { type StandardSchema, RxmcpError } from '@rxmcp/core';
import type { RemoteLink } from '@rxmcp/core/internal';
import { estimateBytes, formatProblems, isThenable, memoryOf, noMemory, quoted } from '@rxmcp/core/internal';
import type { JsonSchemaCompiler } from './schema.js';
import type { JsonSchema, ToolInfo, ToolResult } from './types.js';

const heldName = 'output schemas';
/** How many times the memory of a schema a validator needs in addition: that of this project makes a kilobyte of a small subschema. */
const compiledFactor = 5;

/** The output schemas of one remote's tools, from its last list. */
export class OutputSchemas {
  #byTool: ReadonlyMap<string, JsonSchema> | undefined;
  #isReported = false;
  /** The schemas that have been given to a validator. */
  #used = new WeakSet<JsonSchema>();
  #usedBytes = 0;
  /** The rejected schemas that a fault has reported. */
  readonly #rejected = new WeakSet<JsonSchema>();

  constructor(private readonly inner: RemoteLink) {}

  /** Whether a list has been received. */
  get known(): boolean {
    return this.#byTool !== undefined;
  }

  /** Remembers the schemas of a list. */
  learn(all: readonly ToolInfo[]): void {
    const byTool = new Map<string, JsonSchema>();
    for (const { name, outputSchema } of all) if (outputSchema !== undefined) byTool.set(name, outputSchema);
    this.#byTool = byTool;
    this.#used = new WeakSet();
    this.#usedBytes = 0;
    this.inner.hold(heldName, 0);
  }

  /** The validator of a tool's output; undefined if it has no schema. INVALID_PARAMS for a schema that cannot be used. */
  promised(name: string, schemas: JsonSchemaCompiler): StandardSchema | RxmcpError | undefined {
    const schema = this.#byTool?.get(name);
    if (schema === undefined) return undefined;
    if (!this.#charge(schema)) return noMemory('tools/call', 'not-sent');
    try {
      return schemas(schema);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const message = `the output schema of tool ${quoted(name)} is rejected: ${why}`;
      if (!this.#rejected.has(schema)) this.inner.fault({ code: 'INVALID_TOOL', message, cause });
      this.#rejected.add(schema);
      return new RxmcpError('INVALID_PARAMS', `tools/call ${quoted(name)}: ${message}`, { cause });
    }
  }

  /** Charges for what a validator makes of a schema, once. Returns false where the memory does not suffice. */
  #charge(schema: JsonSchema): boolean {
    if (this.#used.has(schema)) return true;
    const bytes = this.#usedBytes + compiledFactor * memoryOf(estimateBytes(schema, Infinity));
    if (!this.inner.hold(heldName, bytes)) return false;
    this.#used.add(schema);
    this.#usedBytes = bytes;
    return true;
  }

  /** Reports once that results are not checked against their schemas. */
  unchecked(name: string, result: ToolResult): ToolResult {
    if (!this.#isReported && 'structuredContent' in result && this.#byTool?.has(name) === true) {
      this.#isReported = true;
      const message = `results are not checked against output schemas: pass a validator, as in tools(remote, { validator })`;
      // Quiet, since the server has probably checked them, and a first program should not start with a warning.
      this.inner.fault({ code: 'SCHEMA_UNCHECKED', message: `${quoted(name)}: ${message}`, quiet: true });
    }
    return result;
  }
}

/** Returns a result with its data as the output schema of its tool gives it. Throws INVALID_RESULT. */
export function checkedOutput(name: string, promise: StandardSchema, result: ToolResult): ToolResult {
  // The output schema does not apply to a failure.
  if (result.isError === true) return result;
  if (!('structuredContent' in result)) throw broken(name, 'there is no "structuredContent"');
  const outcome = promise['~standard'].validate(result.structuredContent);
  if (isThenable(outcome)) throw broken(name, 'its check gives a promise, which a result cannot wait for');
  const checked = outcome as Awaited<typeof outcome>;
  if (checked.issues !== undefined)
    throw broken(name, `"structuredContent" does not pass: ${formatProblems(checked.issues)}`);
  return Object.is(checked.value, result.structuredContent)
    ? result
    : { ...result, structuredContent: checked.value };
}

function broken(name: string, what: string): RxmcpError {
  return new RxmcpError('INVALID_RESULT', `tools/call ${quoted(name)} has an output schema, but ${what}`, {
    outcome: 'answered',
  });
}
