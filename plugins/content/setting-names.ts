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
