/** What forms, reviews, the history and the chat call the settings of a site. */
export const settingNames = {
  name: 'Name of the site',
  logo: 'Logo',
  navLabels: 'Names in the menu',
  navGroups: 'Groups in the menu',
  redirects: 'Old addresses',
  $redirects: 'Old addresses',
  themeOverrides: 'Theme',
  purpose: 'What the site is for',
  tone: 'Tone of voice',
  constraints: 'Rules for texts',
} as const

/** What they call the texts of a page for search engines and links. */
export const metaNames = {
  title: 'Title for search engines',
  description: 'Description for search engines',
  ogImage: 'Picture for shared links',
} as const

/**
 * Returns what a path of the diff such as `navLabels["/about"]` names: the setting, and the name in it;
 * `undefined` for a path of a whole setting.
 */
export function memberAt(path: string): { readonly setting: string; readonly name: string } | undefined {
  const [, setting, name] = /^(navLabels|navGroups|redirects)\[(".*")\]$/s.exec(path) ?? []
  return setting === undefined || name === undefined ? undefined : { setting, name: String(JSON.parse(name)) }
}
