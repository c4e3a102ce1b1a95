/** `6.95` from 695. */
export function decimal(amount: number, places = 2): string {
  const unit = 10 ** places;
  const digits = String(Math.abs(amount) % unit).padStart(places, "0");
  return `${amount < 0 ? "-" : ""}${Math.floor(Math.abs(amount) / unit)}.${digits}`;
}

/** 725 from `7.25` or `7.25%`; -1 if it is not a percentage. */
export function percentOf(text: string, places = 2): number {
  const match = /^(\d{1,3})(?:\.(\d+))?\s*%?$/.exec(text.trim());
  const [, whole = "", part = ""] = match ?? [];
  return match && part.length <= places ? Number(whole + part.padEnd(places, "0")) : -1;
}
