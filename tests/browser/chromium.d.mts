export const executablePath: string;
export const fullPath: string;
export const args: string[];
