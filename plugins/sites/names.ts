/** Formats a site id for people: `my-first_site` becomes `My First Site`. */
export function toTitle(siteId: string): string {
  const words = siteId.split(/[-_]+/).filter((word) => word !== '')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ') || siteId
}
