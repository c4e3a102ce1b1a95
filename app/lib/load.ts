/** As in `ApiError`, which is loaded late itself. */
export const UNREACHABLE = "We couldn’t reach the shop. Please try again.";

/** Waits for code that is loaded late. An error says so in words for the visitor. */
export async function loaded<Code>(code: Promise<Code>): Promise<Code> {
  try {
    return await code;
  } catch (cause) {
    throw new Error(UNREACHABLE, { cause });
  }
}
