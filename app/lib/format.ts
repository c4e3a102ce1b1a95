import type { Money } from "./types";

// Plain functions: an Intl object cannot live in a V8 snapshot, and its output may differ between server and browser.

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** `$1,234.50`; currencies other than US dollars have their code in front. */
export function formatMoney(money: Money): string {
  const cents = Math.abs(money.amount);
  const whole = formatNumber(Math.floor(cents / 100));
  const fraction = String(cents % 100).padStart(2, "0");
  const symbol = money.currency === "USD" ? "$" : `${money.currency} `;
  return `${money.amount < 0 ? "-" : ""}${symbol}${whole}.${fraction}`;
}

/** `1,234,567` */
function formatNumber(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `November 21, 2026` from `2026-11-21` or a full ISO time (of which the date is taken as written). */
export function formatDate(iso: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(iso);
  const month = match ? MONTHS[Number(match[2]) - 1] : undefined;
  if (!match || !month) return iso;
  return `${month} ${Number(match[3])}, ${match[1]}`;
}

/** `Nov 21, 2026, 12:00` from `2026-11-21T12:00:05`, without a conversion between time zones. */
export function formatTime(iso: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2})/.exec(iso);
  const month = match ? MONTHS[Number(match[2]) - 1] : undefined;
  if (!match || !month) return iso;
  return `${month.slice(0, 3)} ${Number(match[3])}, ${match[1]}, ${match[4]}`;
}
