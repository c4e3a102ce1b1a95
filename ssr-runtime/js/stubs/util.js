// React's build for Bun takes the encoder from here; the runtime defines it globally.
export const TextEncoder = globalThis.TextEncoder;
