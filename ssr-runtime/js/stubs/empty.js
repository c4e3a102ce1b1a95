// Stands for node modules that React's build for Bun imports only for entry points that no page uses.
export {};
