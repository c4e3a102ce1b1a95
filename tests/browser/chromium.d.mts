export function browsers(path: string): string[];
export const executablePath: string;
export const fullPath: string;
export const args: string[];
