export function builtFolders(): string[];
export function noteBuilt(folder: string): void;
export function isBuilt(folder: string): boolean;
export function staleFiles(folder: string): string[];
export function isPacked(folder: string): boolean;
export function notePacked(folder: string): void;
