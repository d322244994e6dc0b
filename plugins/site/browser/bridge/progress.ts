import { areaOf, tag, type Area, type Box, type Overlay } from './overlay.ts'
import { findBlock, findField, orderedBlocks, pictureOf } from '../page.ts'

const skeletonHeight = 96

/** Shows what a chat is writing: live texts in the page, and placeholders above it. */
export function createProgress(overlay: Overlay) {
  /** The live texts of each block, by path. */
  const live = new Map<string, Readonly<Record<string, string>>>()
  /** The elements that show them, with their own content. */
  const originals = new Map<HTMLElement, readonly Node[]>()
  let skeletons: readonly Box[] = []
  let shimmer: Box | undefined
  let planned: readonly Box[] = []

  const show = (blockId: string, fields: Readonly<Record<string, string>>, isRendered = false): void => {
    const block = findBlock(blockId)
    for (const [path, text] of Object.entries(fields)) {
      const field = findField(block, path)
      const kind = field?.dataset['editableKind']
      if (!field || kind === 'html' || pictureOf(field) || (isRendered && originals.has(field))) continue
      if (!originals.has(field)) originals.set(field, [...field.childNodes])
      field.replaceChildren(...(kind === 'richtext' ? paragraphs(text) : [text]))
    }
  }

  return {
    write(blockId: string, fields: Readonly<Record<string, string>>): void {
      live.set(blockId, { ...live.get(blockId), ...fields })
      show(blockId, fields)
    },
    /** Shows live texts in the elements that were rendered since. */
    rendered(): void {
      for (const [blockId, fields] of live) show(blockId, fields, true)
    },
    /** Ends live texts; their own content returns unless the new one is about to be rendered. */
    endWriting(keep: boolean): void {
      for (const [field, nodes] of originals) if (!keep && field.isConnected) field.replaceChildren(...nodes)
      originals.clear()
      live.clear()
    },
    showSkeleton(afterBlockId: string | undefined, type: string): void {
      const area = (): Area | undefined => {
        const last = orderedBlocks().at(-1) ?? document.querySelector('main') ?? document.body
        const above = areaOf(findBlock(afterBlockId) ?? last)
        return above && new DOMRect(above.left, above.top + above.height, above.width, skeletonHeight)
      }
      skeletons = [...skeletons, overlay.add('skeleton shimmer', area, tag(type))]
    },
    removeSkeletons(): void {
      skeletons.forEach((skeleton) => skeleton.remove())
      skeletons = []
    },
    /** Outlines the blocks that a plan would change. */
    plan(blockIds: readonly string[]): void {
      planned.forEach((box) => box.remove())
      planned = blockIds.map((id) => overlay.add('hover planned', () => areaOf(findBlock(id))))
    },
    shimmer(blockId: string | undefined): void {
      shimmer?.remove()
      shimmer = blockId === undefined ? undefined : overlay.add('shimmer', () => areaOf(findBlock(blockId)))
    },
  }
}

/** Text as paragraphs, without its markup. */
const paragraphs = (text: string): readonly HTMLElement[] =>
  text.split(/\n{2,}/).map((textContent) => Object.assign(document.createElement('p'), { textContent }))
