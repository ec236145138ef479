/** The Python that builds and tests the client. */
export const PYTHON: string;
/** Whether Python runs this code. */
export function runsPython(code: string): boolean;
/** Whether a wheel can be built without a network. */
export function hasWheelTools(): boolean;
/** Builds the wheel of the Python client into a folder. */
export function packWheel(folder: string): void;
