//! One V8 isolate: started from a program, then called once per page.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll};

use deno_core::v8::{self, PromiseState};
use deno_core::{JsRuntime, PollEventLoopOptions, RuntimeOptions, op2, scope, serde_v8};
use serde::Deserialize;

use crate::Program;
use crate::memory::Memory;
use crate::stack::BUNDLE;

deno_core::extension!(ssr_runtime, ops = [op_log], js = [dir "js", "runtime.js"]);

/// Receives the output of `console`.
#[op2(fast)]
fn op_log(level: u8, #[string] text: &str) {
    match level {
        0 => tracing::trace!(target: "ssr", "{text}"),
        1 => tracing::debug!(target: "ssr", "{text}"),
        2 => tracing::info!(target: "ssr", "{text}"),
        3 => tracing::warn!(target: "ssr", "{text}"),
        _ => tracing::error!(target: "ssr", "{text}"),
    }
}

/// Why a call into the isolate gave no HTML.
#[derive(Debug)]
pub(crate) enum Fault {
    Thrown(Thrown),
    /// The watchdog or the memory limit terminated it: the isolate cannot continue.
    Terminated,
}

/// A thrown value as `describe` in runtime.js reads it. Positions refer to the bundle.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Thrown {
    pub message: String,
    pub stack: String,
    /// React's component stack: which components led to the one that threw.
    pub components: String,
}

impl Fault {
    fn because(message: impl Into<String>) -> Self {
        Self::Thrown(Thrown { message: message.into(), ..Thrown::default() })
    }
}

/// Longer HTML is a bug, and a copy of it might not fit in the isolate's memory.
const MAX_HTML_LENGTH: usize = 32 << 20;

/// One isolate that has run its program. Its thread has a current tokio runtime.
pub(crate) struct Isolate {
    functions: Functions,
    runtime: JsRuntime,
    /// Size of the heap after the last collection of all garbage, in bytes.
    collected: usize,
}

/// Memory that is worth a collection, in bytes: it takes some 20 ms.
const WORTH_COLLECTING: usize = 8 << 20;

impl Isolate {
    /// `watch` gets the handle that terminates JavaScript in the isolate, before any runs.
    pub async fn start(
        program: &Program,
        memory: Arc<Memory>,
        watch: impl FnOnce(v8::IsolateHandle),
    ) -> Result<Self, Fault> {
        let mut runtime = JsRuntime::try_new(RuntimeOptions {
            startup_snapshot: match program {
                Program::Snapshot(snapshot) => Some(snapshot),
                Program::Script(_) => None,
            },
            create_params: Some(memory.create_params()),
            ..options()
        })
        .map_err(|error| Fault::because(error.to_string()))?;
        let handle = runtime.v8_isolate().thread_safe_handle();
        runtime.add_near_heap_limit_callback({
            let (memory, handle) = (memory.clone(), handle.clone());
            // The raised limit leaves room for unwinding. It is large because V8 ends the process when an allocation does not fit, and the
            // one that hit the limit may be larger than all before it.
            move |current, _| {
                memory.exhaust();
                handle.terminate_execution();
                current + (4 << 30)
            }
        });
        watch(handle);
        evaluate(&mut runtime, "ssr.confine()".into())?;
        let functions = Functions::find(&mut runtime, memory)?;
        if let Program::Script(script) = program {
            functions.load(&mut runtime, script.clone()).await?;
        }
        Ok(Self { functions, runtime, collected: 0 })
    }

    /// Renders the page to HTML.
    pub async fn render(&mut self, props: String) -> Result<String, Fault> {
        self.functions.run(&mut self.runtime, &self.functions.render, props).await
    }

    /// Runs V8's deferred work, which needs the event loop: parts of garbage collection, timers of past renders.
    pub fn rest(&mut self, cx: &mut Context<'_>) {
        if let Poll::Ready(Err(error)) = self.runtime.poll_event_loop(cx, PollEventLoopOptions::default()) {
            tracing::warn!(%error, "left over from a render");
        }
    }

    /// Returns what is free to the system: after many renders the young generation alone has 32 MiB.
    pub fn collect_garbage(&mut self) {
        self.runtime.v8_isolate().low_memory_notification();
        self.collected = self.heap().total_heap_size();
    }

    pub fn has_grown(&mut self) -> bool {
        self.heap().total_heap_size() > self.collected + WORTH_COLLECTING
    }

    pub fn heap(&mut self) -> v8::HeapStatistics {
        self.runtime.v8_isolate().get_heap_statistics()
    }
}

impl Drop for Isolate {
    fn drop(&mut self) {
        // Dropping a runtime may run JavaScript, which a pending termination would abort.
        self.runtime.v8_isolate().cancel_terminate_execution();
    }
}

/// The options a runtime needs to run a program, or to create a snapshot of one.
pub(crate) fn options() -> RuntimeOptions {
    RuntimeOptions { extensions: vec![ssr_runtime::init()], ..RuntimeOptions::default() }
}

fn evaluate(runtime: &mut JsRuntime, script: String) -> Result<v8::Global<v8::Value>, Fault> {
    runtime.execute_script(BUNDLE, script).map_err(|error| {
        Fault::Thrown(Thrown {
            message: error.exception_message,
            stack: error.stack.unwrap_or_default(),
            components: String::new(),
        })
    })
}

/// The functions of runtime.js that the host calls, and the memory limit that may end them.
pub(crate) struct Functions {
    render: v8::Global<v8::Function>,
    warm: v8::Global<v8::Function>,
    turn: v8::Global<v8::Function>,
    describe: v8::Global<v8::Function>,
    memory: Arc<Memory>,
}

enum Answer {
    Html(String),
    Later(v8::Global<v8::Promise>),
}

impl Functions {
    pub fn find(runtime: &mut JsRuntime, memory: Arc<Memory>) -> Result<Self, Fault> {
        let mut function = |source: &str| {
            let value = evaluate(runtime, source.into())?;
            scope!(scope, runtime);
            let function = v8::Local::new(scope, value).try_cast::<v8::Function>();
            let function = function.map_err(|_| Fault::because(format!("{source} is not a function")))?;
            Ok(v8::Global::new(scope, function))
        };
        Ok(Self {
            render: function("ssr.render")?,
            warm: function("ssr.warm")?,
            turn: function("ssr.turn")?,
            describe: function("ssr.describe")?,
            memory,
        })
    }

    /// Runs a bundle and its `warm` function.
    pub async fn load(&self, runtime: &mut JsRuntime, script: String) -> Result<(), Fault> {
        evaluate(runtime, script)?;
        self.run(runtime, &self.warm, String::new()).await?;
        Ok(())
    }

    /// Calls `entry` and, if it returns a promise, drives the event loop until that settles.
    async fn run(
        &self,
        runtime: &mut JsRuntime,
        entry: &v8::Global<v8::Function>,
        argument: String,
    ) -> Result<String, Fault> {
        match self.call(runtime, entry, argument)? {
            Answer::Html(html) => Ok(html),
            Answer::Later(promise) => poll_fn(|cx| self.poll(runtime, &promise, cx)).await,
        }
    }

    fn call(
        &self,
        runtime: &mut JsRuntime,
        entry: &v8::Global<v8::Function>,
        argument: String,
    ) -> Result<Answer, Fault> {
        scope!(scope, runtime);
        v8::tc_scope!(let scope, scope);
        let argument = match argument.is_ascii() {
            true => v8::String::new_external_onebyte(scope, argument.into_bytes().into_boxed_slice()),
            false => v8::String::new(scope, &argument),
        };
        let argument = argument.ok_or_else(|| Fault::because("the props are too long for a string"))?;
        let undefined = v8::undefined(scope).into();
        let value = v8::Local::new(scope, entry).call(scope, undefined, &[argument.into()]);
        let fault = match scope.exception() {
            Some(_) if scope.has_terminated() => return Err(Fault::Terminated),
            Some(thrown) => {
                scope.reset();
                Some(self.describe(scope, thrown))
            }
            None => None,
        };
        // Work that the call left behind runs within its limits, even if it threw.
        while self.turn(scope)? {}
        let value = value.ok_or_else(|| fault.unwrap_or(Fault::Terminated))?;
        match value.try_cast::<v8::Promise>() {
            Ok(promise) if promise.state() == PromiseState::Pending => {
                Ok(Answer::Later(v8::Global::new(scope, promise)))
            }
            Ok(promise) => self.settled(scope, promise).map(Answer::Html),
            Err(_) => html(scope, value).map(Answer::Html),
        }
    }

    /// One round of the event loop and the zero timers.
    fn poll(
        &self,
        runtime: &mut JsRuntime,
        promise: &v8::Global<v8::Promise>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<String, Fault>> {
        let pending = match runtime.poll_event_loop(cx, PollEventLoopOptions::default()) {
            Poll::Pending => true,
            Poll::Ready(Ok(())) => false,
            Poll::Ready(Err(error)) => {
                tracing::warn!(%error, "thrown beside a render");
                cx.waker().wake_by_ref();
                true
            }
        };
        scope!(scope, runtime);
        let worked = self.turn(scope)?;
        scope.perform_microtask_checkpoint();
        let promise = v8::Local::new(scope, promise);
        if promise.state() != PromiseState::Pending {
            return Poll::Ready(self.settled(scope, promise));
        }
        if worked {
            cx.waker().wake_by_ref();
        } else if !pending {
            let message = "the promise can never settle: no timer and no job is left that could settle it";
            return Poll::Ready(Err(Fault::because(message)));
        }
        Poll::Pending
    }

    /// Runs microtasks and zero timers. True if there were timers: more may follow.
    fn turn(&self, scope: &mut v8::PinScope<'_, '_>) -> Result<bool, Fault> {
        v8::tc_scope!(let scope, scope);
        scope.perform_microtask_checkpoint();
        // A termination ends only the current microtask and is then forgotten: without this check, the next one would run.
        if scope.has_terminated() || self.memory.is_exhausted() {
            return Err(Fault::Terminated);
        }
        let undefined = v8::undefined(scope).into();
        let worked = v8::Local::new(scope, &self.turn).call(scope, undefined, &[]);
        worked.map(|worked| worked.is_true()).ok_or(Fault::Terminated)
    }

    fn settled<'s>(
        &self,
        scope: &mut v8::PinScope<'s, '_>,
        promise: v8::Local<'s, v8::Promise>,
    ) -> Result<String, Fault> {
        let result = promise.result(scope);
        match promise.state() {
            PromiseState::Rejected => Err(self.describe(scope, result)),
            _ => html(scope, result),
        }
    }

    fn describe<'s>(&self, scope: &mut v8::PinScope<'s, '_>, thrown: v8::Local<'s, v8::Value>) -> Fault {
        let undefined = v8::undefined(scope).into();
        let Some(described) = v8::Local::new(scope, &self.describe).call(scope, undefined, &[thrown]) else {
            return Fault::Terminated;
        };
        match serde_v8::from_v8(scope, described) {
            Ok(thrown) => Fault::Thrown(thrown),
            Err(error) => Fault::because(format!("a thrown value cannot be described: {error}")),
        }
    }
}

fn html<'s>(scope: &mut v8::PinScope<'s, '_>, value: v8::Local<'s, v8::Value>) -> Result<String, Fault> {
    let string = value.try_cast::<v8::String>().map_err(|_| Fault::because("render did not return a string"))?;
    if string.length() > MAX_HTML_LENGTH {
        return Err(Fault::because(format!("the HTML has {} characters", string.length())));
    }
    // Flattens the rope string built by React's many writes, and copies it once.
    Ok(v8::ValueView::new(scope, string).to_cow_lossy().into_owned())
}
