/** What the server has made of a guest's cart, as it is: only the server can read and write it. Empty without one. */
export function cartCookie(): string {
  return /(?:^|; )(?:__Host-)?cart=([^;]*)/.exec(document.cookie)?.[1] ?? "";
}
