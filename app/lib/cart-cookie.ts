/** The raw value of the guest's cart cookie, which only the server can decode; empty if there is none. */
export function cartCookie(): string {
  return /(?:^|; )(?:__Host-)?cart=([^;]*)/.exec(document.cookie)?.[1] ?? "";
}
