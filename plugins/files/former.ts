/** What a file has had: an edit may not bring such code, but an undo or an earlier publish brings it back. */
import type { Block } from '../content/page.ts'
import { sameJson } from '../content/plain-object.ts'
import { builtValues, textsIn } from './code.ts'
import { pinned } from './reading.ts'

/** Markup and expressions, addresses that run, and modules of MDX. */
const likeCode = /[<{]|(?:script|mocha|data):|^(?:im|ex)port\b/i
const mostCharacters = 100_000

const isLikeCode = (text: string): boolean => likeCode.test(text)

type Content = Pick<Block, 'type' | 'props'>

/** Returns the texts of a block, and its values that decide how the page is built. */
export const textsOf = ({ type, props }: Content): readonly string[] =>
  pinned.has(type) ? [...textsIn(props), ...builtValues(props)] : textsIn(props)

/** Whether a file has had all texts of a block. */
export function isFormer(block: Content, former: ReadonlySet<string>): boolean {
  const texts = textsOf(block)
  return texts.length > 0 && texts.every((text) => former.has(text))
}

/** Adds the texts with code of blocks that a file has no longer, the newest first, up to 100,000 characters. */
export function withFormer(
  former: readonly string[],
  was: readonly Content[],
  is: readonly Content[],
): readonly string[] {
  const now = new Set(is.flatMap(textsOf))
  const gone = was.flatMap((block) => {
    const texts = textsOf(block)
    if (pinned.has(block.type)) {
      const there = is.find(({ type }) => type === block.type)?.props ?? {}
      const absent = Object.fromEntries(Object.keys(there).map((name) => [name, undefined]))
      const built = builtValues({ ...absent, ...block.props })
      return [...texts.filter(isLikeCode), ...built].filter((text) => !now.has(text))
    }
    const isThere = is.some(({ type, props }) => type === block.type && sameJson(props, block.props))
    return !isThere && (block.type === 'Source' || texts.some(isLikeCode)) ? texts : []
  })
  let left = mostCharacters
  return [...new Set([...gone, ...former])].filter((text) => (left -= text.length) >= 0)
}
