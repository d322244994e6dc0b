import { areaOf, tag, type Area, type Box, type Overlay } from './overlay.ts'
import { findBlock, findField, orderedBlocks, pictureOf } from './page.ts'

const skeletonHeight = 96

/** Shows what a chat is writing: live texts in the page, and placeholders above it. */
export function createProgress(overlay: Overlay) {
  /** The elements that show live text, with their own content. */
  const originals = new Map<HTMLElement, readonly Node[]>()
  let skeletons: readonly Box[] = []
  let shimmer: Box | undefined

  return {
    write(blockId: string, fields: Readonly<Record<string, string>>): void {
      const block = findBlock(blockId)
      for (const [path, text] of Object.entries(fields)) {
        const field = block && findField(block, path)
        const kind = field?.dataset['editableKind']
        if (!field || kind === 'html' || pictureOf(field)) continue
        if (!originals.has(field)) originals.set(field, [...field.childNodes])
        field.replaceChildren(...(kind === 'richtext' ? paragraphs(text) : [text]))
      }
    },
    /** Ends live texts; their own content returns unless the new one is about to be rendered. */
    endWriting(keep: boolean): void {
      for (const [field, nodes] of originals) if (!keep && field.isConnected) field.replaceChildren(...nodes)
      originals.clear()
    },
    showSkeleton(afterBlockId: string | undefined, type: string): void {
      const area = (): Area | undefined => {
        const after = (afterBlockId && findBlock(afterBlockId)) || orderedBlocks().at(-1)
        const above = areaOf(after ?? undefined)
        return above && { ...above, top: above.top + above.height, height: skeletonHeight }
      }
      skeletons = [...skeletons, overlay.add('skeleton shimmer', area, tag(type))]
    },
    removeSkeletons(): void {
      skeletons.forEach((skeleton) => skeleton.remove())
      skeletons = []
    },
    shimmer(blockId: string | undefined): void {
      shimmer?.remove()
      shimmer = blockId === undefined ? undefined : overlay.add('shimmer', () => areaOf(findBlock(blockId)))
    },
  }
}

/** Text as paragraphs, without its markup. */
const paragraphs = (text: string): readonly HTMLElement[] =>
  text.split(/\n{2,}/).map((each) => {
    const paragraph = document.createElement('p')
    paragraph.textContent = each
    return paragraph
  })
