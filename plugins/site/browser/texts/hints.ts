/** What development servers say about where an element comes from. */

interface Hint {
  readonly file: string
  readonly line?: number
}

const astro = 'data-astro-source-file'
const noted = new WeakMap<Element, Hint>()

/** Notes the attributes of Astro, which its toolbar removes once the page has loaded. */
export function noteHints(): void {
  for (const element of document.querySelectorAll(`[${astro}]`)) {
    const line = Number.parseInt(element.getAttribute('data-astro-source-loc') ?? '', 10)
    noted.set(element, { file: element.getAttribute(astro) ?? '', ...(line > 0 && { line }) })
  }
}

/** What Svelte and Vue leave on elements while they develop. */
interface Developed {
  readonly __svelte_meta?: { readonly loc?: { readonly file?: unknown; readonly line?: unknown } }
  readonly __vueParentComponent?: { readonly type?: { readonly __file?: unknown } }
}

/** The file of the nearest element that has one. */
export function hintOf(element: Element): Hint | undefined {
  for (let each: Element | null = element; each; each = each.parentElement) {
    const { __svelte_meta: svelte, __vueParentComponent: vue } = each as Developed
    const { file, line } = svelte?.loc ?? { file: vue?.type?.__file, line: undefined }
    const found = noted.get(each)
    if (found) return found
    if (typeof file === 'string') return { file, ...(typeof line === 'number' && { line }) }
  }
  return undefined
}
