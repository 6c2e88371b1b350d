import { OVERLOADED } from '@rxmcp/jsonrpc';
import type { MemoryBudget } from '@rxmcp/transport';
import { rejectUnknownOptions } from '@rxmcp/transport/internal';
import { checkMinimum, isObject } from '../base/checks.js';
import { eachSecond, now } from '../base/clock.js';
import { textSize } from '../base/json-size.js';
import type { Alert, MeterStats, Measured, Meter, MeterFactory } from '../contract/stats.js';
import { isUnderPressure } from './memory-pressure.js';
import { MethodCounter } from './method-counter.js';
import type { UnusualRateAlert } from '../contract/stats.js';

/** Configures {@link meter}. */
export interface MeterOptions {
  /** A call that runs longer is reported as slow, in milliseconds. @default 5_000 */
  readonly slowCallMs?: number;
  /** A rate this many times above the usual one is unusual. @default 4 */
  readonly unusualRateFactor?: number;
  /** The least difference from the usual rate that counts as unusual, per second. @default 20 */
  readonly unusualRateMinDifference?: number;
}

const knownOptions: Record<keyof MeterOptions, true> = {
  slowCallMs: true,
  unusualRateFactor: true,
  unusualRateMinDifference: true,
};

/**
 * Collects statistics of a server, or of each remote of a client, for its option `stats`; it is not a Meter of OpenTelemetry. Counts
 * calls, and reports slow calls, unusual rates, and a server's memory that runs short.
 * @throws TypeError for options that are not numbers
 * @example
 * const busy = defineServer({ info: { name: 'busy', version: '1.0.0' }, offers: [], stats: meter({ slowCallMs: 1_000 }) });
 * busy.alerts$.subscribe((alert) => console.warn(alert.type));
 * busy.stats$.subscribe(({ methods }) => console.log(methods));
 */
export function meter(options: MeterOptions = {}): MeterFactory {
  rejectUnknownOptions('meter', options, knownOptions, {
    unusualLeast: 'unusualRateMinDifference',
  });
  const bounds = {
    slowMs: checkMinimum(0, 'slowCallMs', options.slowCallMs ?? 5_000),
    factor: checkMinimum(1, 'unusualRateFactor', options.unusualRateFactor ?? 4),
    least: checkMinimum(0, 'unusualRateMinDifference', options.unusualRateMinDifference ?? 20),
  };
  return (onAlert, memory) => new Counting(bounds, onAlert, memory);
}

/** The number of seconds for which the delay of the event loop is kept. */
const lagBeats = 10;

class Counting implements Meter {
  readonly #methods = new Map<string, MethodCounter>();
  readonly #drops = { requests: 0, progress: 0, logs: 0, notifications: 0 };
  /** In the order in which they began. */
  readonly running = new Set<Running>();
  #lags: number[] = [];
  readonly #rates: Readonly<Record<'calls' | 'errors', UsualRate>>;
  #since = { calls: 0, errors: 0 };
  #halt: (() => void) | undefined = undefined;
  #wasUnderPressure = false;

  constructor(
    private readonly bounds: { readonly slowMs: number; readonly factor: number; readonly least: number },
    private readonly onAlert: (alert: Alert) => void,
    private readonly memory: MemoryBudget | undefined,
  ) {
    const { factor, least } = bounds;
    this.#rates = {
      calls: new UsualRate('calls', factor, least),
      errors: new UsualRate('errors', factor, least),
    };
  }

  start(): void {
    this.#halt ??= eachSecond((late, since) => this.#beat(late, since));
  }

  stop(): void {
    this.#halt?.();
    this.#halt = undefined;
    this.#lags = [];
  }

  begin(method: string, params: unknown, principal: string | undefined): Measured {
    let counter = this.#methods.get(method);
    if (counter === undefined) this.#methods.set(method, (counter = new MethodCounter(method)));
    counter.calls += 1;
    counter.inFlight += 1;
    counter.paramsBytes += textSize(params);
    this.#since.calls += 1;
    const call = new Running(this, counter, method, principal);
    this.running.add(call);
    return call;
  }

  dropped(what: 'progress' | 'logs' | 'notifications'): void {
    this.#drops[what] += 1;
  }

  counted(): MeterStats {
    const [oldest] = this.running;
    return {
      enabled: true,
      methods: [...this.#methods.values()].map((counter) => counter.stats()),
      dropped: { ...this.#drops },
      longestRunningMs: oldest === undefined ? 0 : now() - oldest.from,
      eventLoopDelayMs: Math.max(0, ...this.#lags),
      activeTimers: timersOf(),
    };
  }

  ended(call: Running): void {
    this.running.delete(call);
    this.#look(call, now() - call.from);
  }

  failed(counter: MethodCounter, code: string | number): void {
    counter.failed(code);
    this.#since.errors += 1;
    if (code === OVERLOADED) this.#drops.requests += 1;
  }

  #beat(lateMs: number, sinceMs: number): void {
    this.#lags.push(lateMs);
    if (this.#lags.length > lagBeats) this.#lags.shift();
    const at = now();
    for (const call of this.running) if (!this.#look(call, at - call.from)) break;
    this.#lookAtMemory();
    const since = this.#since;
    this.#since = { calls: 0, errors: 0 };
    for (const of of ['calls', 'errors'] as const) {
      const unusual = this.#rates[of].beat(since[of], sinceMs);
      if (unusual !== undefined) this.onAlert(unusual);
    }
  }

  #lookAtMemory(): void {
    if (this.memory === undefined) return;
    const isPressed = isUnderPressure(this.memory);
    if (isPressed && !this.#wasUnderPressure)
      this.onAlert({ type: 'memory-pressure', ...this.memory.stats() });
    this.#wasUnderPressure = isPressed;
  }

  /** Reports a slow call once. Returns false if the call is not slow. */
  #look(call: Running, runningMs: number): boolean {
    if (runningMs < this.bounds.slowMs) return false;
    const { method, principal } = call;
    if (!call.isReported)
      this.onAlert({
        type: 'slow-call',
        method,
        runningMs,
        ...(principal === undefined ? {} : { principal }),
      });
    return (call.isReported = true);
  }
}

class Running implements Measured {
  readonly from = now();
  isReported = false;

  constructor(
    private readonly meter: Counting,
    private readonly counter: MethodCounter,
    readonly method: string,
    readonly principal: string | undefined,
  ) {}

  succeeded(result: unknown): void {
    if (!this.#end()) return;
    this.counter.latency.add(now() - this.from);
    this.counter.resultBytes += typeof result === 'string' ? result.length : textSize(result);
    if (isObject(result) && result.isError === true) this.meter.failed(this.counter, 'isError');
  }

  failed(code: string | number): void {
    if (!this.#end()) return;
    this.counter.latency.add(now() - this.from);
    this.meter.failed(this.counter, code);
  }

  cancelled(): void {
    if (this.#end()) this.counter.cancelled += 1;
  }

  #end(): boolean {
    if (!this.meter.running.has(this)) return false;
    this.counter.inFlight -= 1;
    this.meter.ended(this);
    return true;
  }
}

function timersOf(): number | undefined {
  const { process } = globalThis as { process?: { getActiveResourcesInfo?(): string[] } };
  return process?.getActiveResourcesInfo?.().filter((kind) => kind === 'Timeout').length;
}

/** The number of seconds for learning, and of usual seconds that end an unusual period. */
const learnBeats = 30;
const calmBeats = 10;
/** The weight of one second in the usual rate, in usual and in unusual times. */
const weight = 0.05;
const unusualWeight = 0.01;

/** Learns a usual rate and reports when the current one differs. */
export class UsualRate {
  #usual = 0;
  #learnt = 0;
  /** The number of usual seconds that must still pass; 0 if the rate is usual. */
  #unusual = 0;

  /**
   * @param of - what is counted
   * @param factor - a rate this many times above the usual one is unusual
   * @param least - the least difference that counts, per second
   */
  constructor(
    private readonly of: UnusualRateAlert['metric'],
    private readonly factor: number,
    private readonly least: number,
  ) {}

  /** Handles the count since the last call. Returns an alert, once until the rate is usual again. */
  beat(count: number, sinceMs: number): UnusualRateAlert | undefined {
    const perSecond = (count * 1_000) / Math.max(1, sinceMs);
    const usualPerSecond = this.#usual;
    if (this.#learnt < learnBeats) {
      this.#learnt += 1;
      this.#usual += (perSecond - this.#usual) / this.#learnt;
      return undefined;
    }
    const odd = this.#isOdd(perSecond);
    this.#usual += (perSecond - this.#usual) * (odd ? unusualWeight : weight);
    const isNew = odd && this.#unusual === 0;
    if (odd) this.#unusual = calmBeats;
    else if (this.#unusual > 0) this.#unusual -= 1;
    return isNew ? { type: 'unusual-rate', metric: this.of, perSecond, usualPerSecond } : undefined;
  }

  #isOdd(perSecond: number): boolean {
    const { factor, least, of } = this;
    const usual = this.#usual;
    if (perSecond > usual * factor + least) return true;
    // Far fewer calls are unusual too, if there were enough to rule out chance. Fewer errors are fine.
    return of === 'calls' && usual > least && perSecond < usual / factor;
  }
}
