/** `6.95` from 695. */
export function decimal(amount: number, places = 2): string {
  const unit = 10 ** places;
  const digits = String(Math.abs(amount) % unit).padStart(places, "0");
  return `${amount < 0 ? "-" : ""}${Math.floor(Math.abs(amount) / unit)}.${digits}`;
}

/** 695 from `6.95` or `$6.95`; -1 if it is not an amount. */
export function minor(text: string, places = 2): number {
  const match = /^\$?\s*(\d{1,9})(?:\.(\d+))?\s*%?$/.exec(text.trim());
  if (!match || (match[2]?.length ?? 0) > places) return -1;
  return Number(match[1]) * 10 ** places + Number((match[2] ?? "").padEnd(places, "0") || 0);
}
