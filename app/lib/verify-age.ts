import { BIRTH_DATE_MISSING, calendarDate } from "./age";
import { timeLimit } from "./timers";
import type { Problem, VerifyAge } from "./types";

/**
 * Calls the page's own origin, because the age cookie is set there. Resolves with the errors by field, with an empty
 * object if the call failed, or with null on success.
 */
export async function verifyAge(body: VerifyAge): Promise<Problem["errors"] | null> {
  try {
    const response = await fetch("/api/verify-age", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: timeLimit(),
    });
    return response.ok ? null : (((await response.json()) as Partial<Problem>).errors ?? {});
  } catch {
    return {};
  }
}

/**
 * The error message for a birth date, or null if the server accepts it. The server alone says who is old enough: the
 * page may have been made yesterday.
 */
export async function checkBirthDate(
  birth_date: string,
  user_id: string | null,
): Promise<string | null> {
  if (!calendarDate(birth_date)) return BIRTH_DATE_MISSING;
  const errors = await verifyAge({ birth_date, user_id, preferred_state: null });
  if (!errors) return null;
  // The session ended after the page was loaded, or somebody else has signed in, of whom nothing is stored.
  if (errors.user_id && user_id) return checkBirthDate(birth_date, null);
  return errors.birth_date?.[0] ?? "We couldn’t check your date of birth. Please try again.";
}
