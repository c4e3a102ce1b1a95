import type { ChainView } from "../../lib/types";

/** Verifies the whole log, of which each answer covers a piece. `say` gets the number of entries verified so far. */
export async function verify(
  ask: (query: string) => Promise<ChainView>,
  say: (verified: number) => void,
): Promise<ChainView> {
  let chain = await ask("");
  while (!chain.is_complete) {
    say(chain.seq);
    chain = await ask(`after=${chain.seq}&head=${chain.head}`);
  }
  return chain;
}
