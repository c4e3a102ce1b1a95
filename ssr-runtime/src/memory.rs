//! The memory limit of one isolate: its heap, and the memory of its array buffers, which lies outside the heap.
#![expect(unsafe_code, reason = "V8 takes an allocator only as a table of C functions over a raw handle")]

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use deno_core::v8;

/// The alignment that malloc would use.
const ALIGNMENT: usize = 16;

/// One isolate's limit. V8 stops only some time after it has been told to; `exhausted` records that it was told.
pub(crate) struct Memory {
    limit: usize,
    buffers: AtomicUsize,
    exhausted: AtomicBool,
}

impl Memory {
    pub fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self { limit, buffers: AtomicUsize::new(0), exhausted: AtomicBool::new(false) })
    }

    pub fn exhaust(&self) {
        self.exhausted.store(true, Ordering::Relaxed);
    }

    pub fn is_exhausted(&self) -> bool {
        self.exhausted.load(Ordering::Relaxed)
    }

    /// The parameters for an isolate with this limit.
    pub fn create_params(self: &Arc<Self>) -> v8::CreateParams {
        // With the heap limit alone, the young generation would be only a few megabytes, which is slow.
        v8::CreateParams::default()
            .heap_limits(0, self.limit)
            .set_max_young_generation_size_in_bytes((self.limit / 16 * 3).min(48 << 20))
            .array_buffer_allocator(self.allocator())
    }

    fn allocator(self: &Arc<Self>) -> v8::UniqueRef<v8::Allocator> {
        const TABLE: v8::RustAllocatorVtable<Memory> =
            v8::RustAllocatorVtable { allocate, allocate_uninitialized, free, drop: release };
        // SAFETY: the handle is a reference that the allocator owns and that `release` returns.
        unsafe { v8::new_rust_allocator(Arc::into_raw(self.clone()), const { &TABLE }) }
    }

    /// Memory from `allocate`, or null if the limit is reached or the system has none.
    fn provide(&self, length: usize, allocate: unsafe fn(Layout) -> *mut u8) -> *mut c_void {
        let within = |used: usize| used.checked_add(length).filter(|total| *total <= self.limit);
        let layout = Layout::from_size_align(length.max(1), ALIGNMENT);
        let reserved = self.buffers.fetch_update(Ordering::Relaxed, Ordering::Relaxed, within);
        let (Ok(layout), Ok(_)) = (layout, reserved) else {
            self.exhaust();
            return ptr::null_mut();
        };
        // SAFETY: the layout is not empty.
        let data = unsafe { allocate(layout) };
        if data.is_null() {
            self.buffers.fetch_sub(length, Ordering::Relaxed);
        }
        data.cast()
    }
}

unsafe extern "C" fn allocate(memory: &Memory, length: usize) -> *mut c_void {
    memory.provide(length, alloc_zeroed)
}

unsafe extern "C" fn allocate_uninitialized(memory: &Memory, length: usize) -> *mut c_void {
    memory.provide(length, alloc)
}

unsafe extern "C" fn free(memory: &Memory, data: *mut c_void, length: usize) {
    memory.buffers.fetch_sub(length, Ordering::Relaxed);
    if let Ok(layout) = Layout::from_size_align(length.max(1), ALIGNMENT) {
        // SAFETY: V8 frees memory that one of the two functions above returned, with the length that it requested.
        unsafe { dealloc(data.cast(), layout) };
    }
}

unsafe extern "C" fn release(memory: *const Memory) {
    // SAFETY: the reference made in `allocator`, released once.
    drop(unsafe { Arc::from_raw(memory) });
}
