/** What a stylesheet says about how a website looks. */
export interface DesignTokens {
  readonly colors: readonly string[]
  readonly fonts: readonly string[]
  readonly radii: readonly string[]
}

const mostCss = 1024 * 1024

/** Finds the colours, fonts and radii that a stylesheet uses most, and a theme made of them. */
export function designOf(stylesheet: string): { readonly tokens: DesignTokens; readonly themeVariables: Readonly<Record<string, string>> } {
  const css = stylesheet.slice(0, mostCss)
  const colors = frequent(css.matchAll(/#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b|\b(?:rgb|hsl)a?\([^()]{1,60}\)/gi), 20, (text) => text.toLowerCase().replaceAll(' ', ''))
  const fonts = frequent(css.matchAll(/font-family\s{0,9}:\s{0,9}([^;{}]{1,200})/gi), 6)
  const radii = frequent(css.matchAll(/border-radius\s{0,9}:\s{0,9}([^;{}]{1,40})/gi), 5)
  const [font] = fonts
  const [radius] = radii
  const brand = colors.find(isColourful)
  return {
    tokens: { colors, fonts, radii },
    themeVariables: {
      ...(brand !== undefined && { '--brand': brand }),
      ...(font !== undefined && isPlain(font) && { '--font-body': font, '--font-heading': font }),
      ...(radius !== undefined && isPlain(radius) && { '--radius-btn': radius, '--radius-card': radius }),
    },
  }
}

const isPlain = (value: string): boolean => !/[;{}<>@\\]|url\(/i.test(value) && value.length <= 200

function frequent(matches: Iterable<RegExpMatchArray>, most: number, plain = (text: string): string => text.trim()): readonly string[] {
  const counts = new Map<string, number>()
  for (const [all, group] of matches) {
    const value = plain(group ?? all)
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts].toSorted(([, a], [, b]) => b - a).slice(0, most).map(([value]) => value)
}

/** Neither black nor white nor grey; only colours in six digits are judged. */
function isColourful(color: string): boolean {
  const [, red = '', green = '', blue = ''] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(color) ?? []
  const values = [red, green, blue].map((part) => Number.parseInt(part, 16))
  return Math.max(...values) - Math.min(...values) > 40
}
