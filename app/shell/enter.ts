// Loaded while the visitor reads the age gate.
import { rememberVerified } from "../lib/age-mirror";
import { navigate, refresh } from "../lib/navigation";
import type { AgeRefusedPage } from "../lib/types";
import { checkBirthDate } from "../lib/verify-age";

/** Shows the page without the gate, or resolves with what is wrong with the birth date. */
export async function enter(
  birthDate: string,
  sub: string | null,
  refused: AgeRefusedPage | null,
): Promise<string | null> {
  const problem = await checkBirthDate(birthDate, sub);
  if (problem) return problem;
  // The server's answer is kept in one: the gate would open to nobody, and say nothing.
  if (!navigator.cookieEnabled) return "Allow cookies for this site, then try again.";
  rememberVerified();
  await (refused ? navigate(refused.return_to, { replace: true }) : refresh());
  return null;
}
