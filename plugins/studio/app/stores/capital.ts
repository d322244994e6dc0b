/** A sentence with a capital. */
export const withCapital = (text: string): string => text.replace(/^\p{Ll}/u, (first) => first.toUpperCase())
