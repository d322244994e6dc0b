const longest = 120

/** The name that a client gave a file, fit to be shown: without control characters and at most 120 characters long. */
export function toOriginalName(name: string): string {
  return [...name.toWellFormed().replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '')].slice(0, longest).join('')
}
