import { ownValue } from '../../../content/plain-object.ts'
import { Problem } from '../problem.ts'

const invalid = (name: string): Problem =>
  new Problem(
    `The theme variable '${name}' cannot be used. A name is two dashes and lower-case letters, digits and dashes; a value has at most 200 characters and none of ; { } < > @ \\ or url(; fonts come from https://fonts.googleapis.com.`,
  )

const start = '/* Theme of the site, written by the onboarding agent. */'
const end = '/* End of the theme. */'

/** Checks that theme variables are safe in a stylesheet. Throws a Problem otherwise. */
export function checkTheme(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) {
    const isValue = value.length <= 200 && !/[;{}<>@\\\n\r]|url\s*\(|\/\*/i.test(value)
    if (name === '--google-fonts-import') {
      if (!isFontsAddress(value)) throw invalid(name)
    } else if (!/^--[a-z0-9-]{1,40}$/.test(name) || !isValue) {
      throw invalid(name.slice(0, 60))
    }
  }
}

function isFontsAddress(value: string): boolean {
  const url = URL.parse(value)
  return (
    url?.origin === 'https://fonts.googleapis.com' && value.length <= 500 && !/["'()\\\s;{}<>]/.test(value)
  )
}

/** Replaces the earlier theme in a stylesheet with these variables; the rest stays. */
export function withTheme(css: string, variables: Readonly<Record<string, string>>): string {
  const { '--google-fonts-import': fonts, ...own } = variables
  const from = css.indexOf(start)
  const to = css.indexOf(end, from)
  const rest = from >= 0 && to >= 0 ? css.slice(0, from) + css.slice(to + end.length).replace(/^\n/, '') : css
  const lines = [
    ...(fonts === undefined ? [] : [`@import url("${fonts}");`]),
    ':root {',
    ...Object.entries(own).map(([name, value]) => `  ${name}: ${value};`),
    '}',
  ]
  // Imports must come first in a stylesheet.
  return `${start}\n${lines.join('\n')}\n${end}\n${rest}`
}

const light = { background: '#ffffff', text: '#1c2430', muted: '#566172', onBrand: '#ffffff' }
const sans = 'system-ui, sans-serif'

/** The colours of themes, from which the variables are derived. */
const palettes = {
  ocean: { ...light, surface: '#eef6fb', brand: '#0b6fa4', brandHover: '#095680', font: sans },
  forest: { ...light, surface: '#f0f6ef', brand: '#2d6a3e', brandHover: '#21502e', font: sans },
  luxury: {
    background: '#14120f',
    surface: '#1f1c17',
    text: '#f6f1e7',
    muted: '#bdb3a0',
    brand: '#c9a24b',
    brandHover: '#dab968',
    onBrand: '#14120f',
    font: 'Georgia, serif',
  },
  coral: { ...light, surface: '#fff3ef', brand: '#c8452c', brandHover: '#a63722', font: sans },
  midnight: {
    background: '#0d1222',
    surface: '#161d33',
    text: '#eef1fa',
    muted: '#a5aecb',
    brand: '#7c93ff',
    brandHover: '#9aabff',
    onBrand: '#0d1222',
    font: sans,
  },
  rose: { ...light, surface: '#fdf2f5', brand: '#b02a57', brandHover: '#8e2146', font: sans },
  slate: { ...light, surface: '#f2f4f7', brand: '#37475c', brandHover: '#273344', font: sans },
  sunset: { ...light, surface: '#fff5ea', brand: '#b4530a', brandHover: '#8f4108', font: sans },
}

export const presetNames: readonly string[] = Object.keys(palettes)

/** Returns the variables of a preset; `undefined` for an unknown name. */
export function presetTheme(name: string): Readonly<Record<string, string>> | undefined {
  const palette = ownValue(palettes, name)
  if (!palette) return undefined
  const { background, surface, text, muted, brand, brandHover, onBrand, font } = palette
  return {
    '--bg-0': background,
    '--bg-100': surface,
    '--section-bg': surface,
    '--heading': text,
    '--body': text,
    '--body-secondary': muted,
    '--caption': muted,
    '--brand': brand,
    '--brand-hover': brandHover,
    '--brand-subtle': surface,
    '--brand-fg': onBrand,
    '--surface': surface,
    '--border': muted,
    '--card-bg': background,
    '--card-shadow': '0 1px 3px rgb(0 0 0 / 0.15)',
    '--footer-bg': surface,
    '--footer-text': muted,
    '--footer-heading': text,
    '--footer-link': brand,
    '--footer-link-hover': brandHover,
    '--footer-border': muted,
    '--font-heading': font,
    '--font-body': font,
    '--radius-btn': '6px',
    '--radius-card': '10px',
    '--radius-feature': '10px',
  }
}
