/** Slugs that a broken link may have meant. */
export interface Nearest {
  /** The only slug that differs by case, slashes or one edit. */
  readonly sure: string | undefined
  /** At most three that share its first or its last segment. */
  readonly close: readonly string[]
}

const mostAsked = 200

/** Makes what finds the slugs that a path may have meant; after 200 different paths it finds nothing more. */
export function nearestSlugs(slugs: readonly string[]): (path: string) => Nearest {
  const forms = slugs.map((slug) => ({ slug, form: formOf(slug), ends: endsOf(formOf(slug)) }))
  const asked = new Map<string, Nearest>()

  return (path) => {
    const known = asked.get(path)
    if (known) return known
    if (asked.size === mostAsked || path.length > longest) return nothing
    const form = formOf(path)
    const ends = endsOf(form)
    const found = forms.filter((each) => isOneEdit(each.form, form)).map(({ slug }) => slug)
    const related = forms.filter((each) => ends.some((end) => each.ends.includes(end))).map(({ slug }) => slug)
    const nearest = { sure: found.length === 1 ? found[0] : undefined, close: [...new Set([...found, ...related])].slice(0, 3) }
    asked.set(path, nearest)
    return nearest
  }
}

const nothing: Nearest = { sure: undefined, close: [] }
const longest = 512

const formOf = (path: string): string => `/${path.toLowerCase().split('/').filter(Boolean).join('/')}`

function endsOf(form: string): readonly string[] {
  const segments = form.split('/').filter(Boolean)
  return [...new Set([segments.at(0), segments.at(-1)])].filter((segment) => segment !== undefined)
}

/** True for texts that are the same but for one character that was added, left out, replaced, or swapped with the next. */
function isOneEdit(a: string, b: string): boolean {
  if (a === b) return true
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1
  const [restA, restB] = [a.slice(start), b.slice(start)]
  if (restA.slice(1) === restB.slice(1) || restA === restB.slice(1) || restA.slice(1) === restB) return true
  return restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0]
}
