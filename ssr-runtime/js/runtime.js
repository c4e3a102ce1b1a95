// What a page needs around the language itself: timers, microtasks, console, text encoding, an abort signal, a clock.
// Runs before the app's bundle, and again never: its state is part of the snapshot, so nothing here may depend on time,
// chance or the machine. Ops are looked up when they are called: one captured in a snapshot stays slow forever.
(() => {
  // biome-ignore lint/suspicious/noRedundantUseStrict: this is a script, not a module
  "use strict";
  const { core } = Deno;
  const settled = Promise.resolve();

  // React schedules its work on these two queues. `flush` empties them by hand, which makes an ordinary render one
  // synchronous call. Outside of `flush` they are emptied by V8's own microtasks and by the host, through `turn`.
  let microtasks = [];
  let timers = [];
  let depth = 0;
  let lastTimer = 0;
  const callbacks = new Map(); // timer id -> zero timer's callback, or the delayed timer

  function attempt(task) {
    try {
      task();
    } catch (error) {
      console.error(error);
    }
  }

  function runMicrotasks() {
    while (microtasks.length > 0) for (const task of microtasks.splice(0)) attempt(task);
  }

  function runTimers() {
    for (const id of timers.splice(0)) {
      const callback = callbacks.get(id);
      if (callback === undefined) continue; // cleared
      callbacks.delete(id);
      attempt(callback);
      runMicrotasks();
    }
  }

  /** Calls `work` and runs all that it queues, and nothing that was queued before: a render may happen inside a render. */
  function flush(work) {
    const outer = [microtasks, timers];
    microtasks = [];
    timers = [];
    depth++;
    try {
      work();
      do {
        runMicrotasks();
        runTimers();
      } while (microtasks.length > 0 || timers.length > 0);
    } finally {
      depth--;
      [microtasks, timers] = outer;
    }
  }

  /** One turn of the zero timers for the host's loop. True when there was work: more may follow. */
  function turn() {
    const worked = microtasks.length > 0 || timers.length > 0;
    runMicrotasks();
    runTimers();
    return worked;
  }

  globalThis.queueMicrotask = (task) => {
    if (typeof task !== "function") throw new TypeError("queueMicrotask takes a function");
    microtasks.push(task);
    if (depth === 0) settled.then(runMicrotasks);
  };

  globalThis.setTimeout = (callback, delay, ...args) => {
    const id = ++lastTimer;
    if (delay > 0) {
      const fire = () => {
        callbacks.delete(id);
        callback(...args);
      };
      callbacks.set(id, core.createTimer(fire, delay, undefined, false, true));
    } else {
      callbacks.set(id, args.length > 0 ? () => callback(...args) : callback);
      timers.push(id);
    }
    return id;
  };

  globalThis.clearTimeout = (id) => {
    const timer = callbacks.get(id);
    callbacks.delete(id);
    if (typeof timer === "object") core.cancelTimer(timer);
  };

  function text(value) {
    if (typeof value === "string") return value;
    if (value instanceof Error) return String(value.stack ?? value);
    try {
      return (typeof value === "object" && JSON.stringify(value)) || String(value);
    } catch {
      return Object.prototype.toString.call(value);
    }
  }

  function log(level) {
    return (...args) => {
      // React's development warnings are printf formats.
      if (typeof args[0] === "string" && args[0].includes("%")) {
        const format = args.shift();
        args.unshift(
          format.replace(/%[sdifoO]/g, (slot) => (args.length > 0 ? text(args.shift()) : slot)),
        );
      }
      core.ops.op_log(level, args.map(text).join(" "));
    };
  }

  globalThis.console = {
    trace: log(0),
    debug: log(1),
    log: log(2),
    info: log(2),
    warn: log(3),
    error: log(4),
  };

  globalThis.TextEncoder = class TextEncoder {
    encoding = "utf-8";
    encode(input = "") {
      return core.encode(String(input));
    }
  };

  globalThis.TextDecoder = class TextDecoder {
    encoding = "utf-8";
    decode(bytes = new Uint8Array()) {
      return core.decode(ArrayBuffer.isView(bytes) ? bytes : new Uint8Array(bytes));
    }
  };

  class AbortSignal {
    aborted = false;
    reason = undefined;
    listeners = new Set();
    addEventListener(type, listener) {
      if (type === "abort") this.listeners.add(listener);
    }
    removeEventListener(_type, listener) {
      this.listeners.delete(listener);
    }
    throwIfAborted() {
      if (this.aborted) throw this.reason;
    }
  }

  globalThis.AbortSignal = AbortSignal;
  globalThis.AbortController = class AbortController {
    signal = new AbortSignal();
    abort(reason = new Error("aborted")) {
      const { signal } = this;
      if (signal.aborted) return;
      signal.aborted = true;
      signal.reason = reason;
      for (const listener of signal.listeners)
        attempt(() => listener({ type: "abort", target: signal }));
    }
  };

  globalThis.performance = { now: () => core.ops.op_timer_now() };
  globalThis.process = { env: {} };
  // React asks for the size of each finished boundary, to stream large ones later. Nothing is streamed here, and the
  // answer 0 spares it a discarded render of each fallback.
  globalThis.Buffer = { byteLength: () => 0 };

  core.setReportExceptionCallback((error) => console.error(error));
  core.setUnhandledPromiseRejectionHandler((_promise, reason) => {
    console.error("unhandled rejection:", reason);
    return true;
  });

  /** Takes away what would get past an isolate's bounds on memory. Part of it exists only outside of a snapshot. */
  function confine() {
    delete globalThis.WebAssembly;
    delete globalThis.SharedArrayBuffer;
    const resizable = globalThis.ArrayBuffer;
    globalThis.ArrayBuffer = new Proxy(resizable, {
      construct: (target, [length], newTarget) => Reflect.construct(target, [length], newTarget),
    });
    resizable.prototype.constructor = globalThis.ArrayBuffer;
  }

  /** A string, or a promise of one whose rejection is the host's to report. */
  function answer(html) {
    if (typeof html === "string") return html;
    if (typeof html?.then !== "function") throw new TypeError("render returned no string");
    const promise = Promise.resolve(html);
    promise.catch(() => {});
    return promise;
  }

  /** The call that the host makes for each page. */
  const render = (props) => answer(globalThis.render(props));

  /** The call that the host makes once after it loaded the bundle. */
  const warm = () => answer(loaded());

  async function loaded() {
    await globalThis.warm?.();
    return "";
  }

  /** What the host may know of a thrown value. It can be anything, so each part is read with care. */
  function describe(thrown) {
    const read = (key) => {
      try {
        const value = thrown[key];
        return typeof value === "string" && value !== "" ? value : undefined;
      } catch {
        return undefined;
      }
    };
    const message = read("message") ?? text(thrown);
    const name = read("name");
    return {
      message: name ? `${name}: ${message}` : message,
      stack: read("stack") ?? "",
      components: read("componentStack") ?? "",
    };
  }

  const ssr = { flush, turn, confine, render, warm, describe };
  globalThis.ssr = ssr;
})();
