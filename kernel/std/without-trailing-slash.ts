/** Removes all slashes at the end of an address or a path. */
export const withoutTrailingSlash = (text: string): string => text.replace(/(?<!\/)\/+$/, '')
