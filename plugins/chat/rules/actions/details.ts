import type { Fields, Props } from '../../../content/model.ts'
import { unfit } from '../ask.ts'
import type { Node } from '../grammar/node.ts'
import type { Work } from '../work.ts'
import { textOf } from './action.ts'
import { toValueOf } from './values.ts'

/** Which props the words around a new thing mean. */
export interface NewContent {
  readonly main: string | undefined
  readonly called: string | undefined
  readonly label: string | undefined
  readonly author: string | undefined
}

/** `by somebody famous` is no name. */
const isNobody = (name: Node | undefined): boolean => name?.slot === 'Words' && textOf(name) === textOf(name).toLowerCase()

/** The props that details give: `called "…"`, `by Ana`, `with the answer "…"`. */
export function contentOf(
  work: Work, fields: Fields, details: readonly Node[], meaning: (fields: Fields) => NewContent,
): Props {
  const means = meaning(fields)
  const content: Record<string, unknown> = {}
  for (const { form, parts } of details) {
    if (form === 'pair') {
      give('q', parts['q'])
      give('a', parts['a'])
    } else if (form === 'link') {
      give(['ctaHref', 'href', 'url'].find((name) => Object.hasOwn(fields, name)), parts['v'])
    } else if (form === 'field') {
      give(parts['field']?.names?.find((name) => Object.hasOwn(fields, name)), parts['v'])
    } else {
      if (form === 'author' && isNobody(parts['v'])) return unfit('a name has a capital')
      give(form === 'label' ? means.label : form === 'author' ? means.author : means.main, parts['v'])
    }
  }
  return content

  function give(name: string | undefined, value: Node | undefined): void {
    const meta = name === undefined ? undefined : fields[name]
    if (name === undefined || !meta || Object.hasOwn(content, name)) return unfit('there is no such field, or it is given twice')
    content[name] = toValueOf(work, { name, meta }, textOf(value))
  }
}
