/**
 * A MessagePort, a Worker or the global scope of a worker, as browsers have them. Node's MessagePort and its `parentPort`
 * are of this kind too.
 */
export interface EventTargetPort {
  postMessage(message: unknown): void;
  addEventListener(type: string, listener: (event: object) => void): void;
  removeEventListener(type: string, listener: (event: object) => void): void;
}

/** A Worker of `node:worker_threads`, which is an EventEmitter. */
export interface EventEmitterPort {
  postMessage(message: unknown): void;
  on(type: string, listener: (value: unknown) => void): unknown;
  off(type: string, listener: (value: unknown) => void): unknown;
}

/** Accepts posted messages: a MessagePort, a Worker or the global scope of a worker. */
export type PortLike = EventTargetPort | EventEmitterPort;

/** Receives the events of a port. */
export interface PortEvents {
  message(data: unknown): void;
  /** A message could not be deserialised. */
  unreadable(): void;
  /** The other side has closed, with the exit code of its thread where it is a worker. */
  closed(exitCode?: number): void;
  /** A worker threw an uncaught error. */
  failed(cause: unknown): void;
}

/** Listens to a port of any kind. Returns a function that removes the listeners, except that of the errors of a worker. */
export function listenToPort(port: PortLike, events: PortEvents): () => void {
  return 'addEventListener' in port ? listenToEvents(port, events) : listenToEmitter(port, events);
}

/** Whether the port is a worker, on the side that created it. */
export function isWorker(port: PortLike): port is PortLike & { terminate(): unknown } {
  return 'terminate' in port && typeof port.terminate === 'function';
}

/** Terminates a worker or closes a port. The global scope of a worker stays open: closing it would end the program in it. */
export async function closePort(port: PortLike): Promise<void> {
  if (isWorker(port)) await port.terminate();
  else if (port !== globalThis && 'close' in port && typeof port.close === 'function') port.close();
}

function listenToEvents(port: EventTargetPort, events: PortEvents): () => void {
  const listeners: Readonly<Record<string, (event: object) => void>> = {
    message: (event) => events.message((event as { data?: unknown }).data),
    messageerror: () => events.unreadable(),
    close: () => events.closed(),
    error: (event) => events.failed((event as { error?: unknown }).error ?? event),
  };
  for (const [type, listener] of Object.entries(listeners)) port.addEventListener(type, listener);
  // A port holds messages until `start` is called; a worker has no `start`.
  if ('start' in port && typeof port.start === 'function') port.start();
  return () => {
    for (const [type, listener] of Object.entries(listeners)) port.removeEventListener(type, listener);
  };
}

function listenToEmitter(port: EventEmitterPort, events: PortEvents): () => void {
  const message = (data: unknown): void => events.message(data);
  const unreadable = (): void => events.unreadable();
  const exit = (code: unknown): void => events.closed(Number(code));
  port.on('message', message);
  port.on('messageerror', unreadable);
  port.on('exit', exit);
  // Never removed: an `error` event without a listener ends the process.
  port.on('error', (cause) => events.failed(cause));
  return () => {
    port.off('message', message);
    port.off('messageerror', unreadable);
    port.off('exit', exit);
  };
}
