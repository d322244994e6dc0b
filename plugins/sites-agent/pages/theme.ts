import { refusals } from '../refusals.ts'

const start = '/* Theme of the site, written by the onboarding agent. */'
const end = '/* End of the theme. */'

/** Holds theme variables to what can stand in a stylesheet and do nothing else. Refuses with 400 `theme_invalid`. */
export function checkTheme(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) {
    const isValue = value.length <= 200 && !/[;{}<>@\\\n\r]|url\s*\(|\/\*/i.test(value)
    if (name === '--google-fonts-import') {
      if (!isFontsAddress(value)) throw refusals.themeInvalid(name)
    } else if (!/^--[a-z0-9-]{1,40}$/.test(name) || !isValue) {
      throw refusals.themeInvalid(name.slice(0, 60))
    }
  }
}

function isFontsAddress(value: string): boolean {
  const url = URL.parse(value)
  return url?.origin === 'https://fonts.googleapis.com' && value.length <= 500 && !/["'()\\\s;{}<>]/.test(value)
}

/** A stylesheet with these variables, in place of those that were written before; everything else stays. */
export function withTheme(css: string, variables: Readonly<Record<string, string>>): string {
  const { '--google-fonts-import': fonts, ...own } = variables
  const from = css.indexOf(start)
  const to = css.indexOf(end, from)
  const rest = from >= 0 && to >= 0 ? css.slice(0, from) + css.slice(to + end.length).replace(/^\n/, '') : css
  const lines = [...(fonts === undefined ? [] : [`@import url("${fonts}");`]), ':root {', ...Object.entries(own).map(([name, value]) => `  ${name}: ${value};`), '}']
  // An import counts only before everything else.
  return `${start}\n${lines.join('\n')}\n${end}\n${rest}`
}
