/** A text in JQL. Quotes and backslashes are escaped, so that a name cannot become a condition; line breaks become blanks. */
export const quoted = (text: string): string => `"${text.replace(/[\r\n]+/g, ' ').replace(/[\\"]/g, '\\$&')}"`

/** Which tickets are looked for, in the order in which they were changed. */
export function toJql({ jql, statuses, projects }: { readonly jql: string | undefined; readonly statuses: readonly string[]; readonly projects: ReadonlySet<string> }): string {
  if (jql !== undefined) return jql
  const within = projects.size === 0 ? '' : `project in (${[...projects].map(quoted).join(', ')}) AND `
  return `${within}status in (${statuses.map(quoted).join(', ')}) ORDER BY updated ASC`
}
