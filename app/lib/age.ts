export const MINIMUM_AGE = 21;

/** Same texts as the server's. */
export const BIRTH_DATE_MISSING = "Please enter your date of birth.";
export const TOO_YOUNG = `Sorry, you must be at least ${MINIMUM_AGE} years old.`;

/**
 * Whole years from birth to today, both YYYY-MM-DD; null when either is no calendar date.
 * A person born on February 29 turns a year older on March 1 in common years.
 */
export function wholeYears(birthDate: string, today: string): number | null {
  const birth = calendarDate(birthDate);
  const now = calendarDate(today);
  if (!birth || !now) return null;
  const birthdayPassed =
    now.month > birth.month || (now.month === birth.month && now.day >= birth.day);
  return now.year - birth.year - (birthdayPassed ? 0 : 1);
}

/** The error message for this birth date, or null when the person is old enough. */
export function birthDateProblem(birthDate: string, today: string): string | null {
  if (birthDate.trim() === "") return BIRTH_DATE_MISSING;
  const years = wholeYears(birthDate, today);
  if (years === null) return BIRTH_DATE_MISSING;
  return years < MINIMUM_AGE ? TOO_YOUNG : null;
}

/** A date that is not before the shop's, whatever this device's time zone; the server checks with its own. */
export function latestToday(now = Date.now()): string {
  return new Date(now + 86_400_000).toISOString().slice(0, 10);
}

/** The parts of a date YYYY-MM-DD, or null when there is no such day. */
export function calendarDate(text: string): { year: number; month: number; day: number } | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return days !== undefined && day >= 1 && day <= days ? { year, month, day } : null;
}
