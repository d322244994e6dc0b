/** What a page carries for editors: blocks, fields and rows, found by their marks. */

/** A row of a list: its elements are marked `list[index]` or `list[index].field`. */
export interface Row {
  readonly list: string
  readonly index: number
  readonly root: HTMLElement
}

const blocksOnPage = (page: ParentNode = document) => [
  ...page.querySelectorAll<HTMLElement>('[data-block-id]'),
]
export const idOf = (block: Element): string => block.getAttribute('data-block-id') ?? ''
export const typeOf = (block: Element): string => block.getAttribute('data-block-type') ?? ''
export const pathOf = (field: Element): string => field.getAttribute('data-editable-target') ?? ''

export const findBlock = (id: string | null | undefined, page?: Document): HTMLElement | undefined =>
  blocksOnPage(page).find((block) => idOf(block) === id)

/** Where the value of a field is stored: several elements that show parts of one differ behind a `#`. */
export const storedPath = (path: string): string => path.replace(/#\d+$/, '')

export function findField(block: Element | undefined, path: string | undefined): HTMLElement | undefined {
  if (!block || path === undefined) return undefined
  const fields = fieldsOf(block)
  return (
    fields.find((field) => pathOf(field) === path) ??
    fields.find((field) => storedPath(pathOf(field)) === path)
  )
}

/** The page of content that has a block, where it is not the one that is shown. */
export const slugOf = (block: Element | undefined): string | undefined =>
  block?.getAttribute('data-block-slug') ?? undefined

/** Removes classes of the bridge from an element. */
export function unmark(element: Element, ...classes: readonly string[]): void {
  element.classList.remove(...classes)
  if (element.classList.length === 0) element.removeAttribute('class')
}

/** The block that contains an element. */
export const blockAround = (element: Element): HTMLElement | undefined =>
  element.closest<HTMLElement>('[data-block-id]') ?? undefined

/** The innermost marked field of a block that contains an element. */
export function fieldAround(element: Element, block: Element): HTMLElement | undefined {
  const field = element.closest<HTMLElement>('[data-editable-target]')
  return field && block.contains(field) ? field : undefined
}

const fieldMark = '[data-editable-target]'
/** All marked fields of a block. The texts of a file have no element around all of them. */
export const fieldsOf = (block: Element): readonly HTMLElement[] =>
  (slugOf(block) === undefined ? [block] : blocksOnPage().filter((each) => idOf(each) === idOf(block)))
    .flatMap((part) => [part, ...part.querySelectorAll(fieldMark)])
    .filter((each): each is HTMLElement => each.matches(fieldMark))

/** Whether a block is the header or the footer, which have no tools. */
export const isChrome = (block: Element): boolean =>
  block.matches('[data-block-chrome]') || block.querySelector('[data-block-chrome]') !== null

/** Whether a block stays where it is. */
export const isFixed = (block: Element): boolean => isChrome(block) || block.matches('[data-block-fixed]')

/** The blocks that have an order: the children of `main`, else all blocks; of files those of one file. */
export function orderedBlocks(beside?: Element): readonly HTMLElement[] {
  const slug = slugOf(beside)
  if (slug !== undefined || document.querySelector('[data-block-slug]')) {
    const blocks = blocksOnPage().filter(
      (each) => slug === undefined || (slugOf(each) === slug && !isFixed(each)),
    )
    return [...new Map(blocks.toReversed().map((each) => [idOf(each), each])).values()].toReversed()
  }
  const children = [...document.querySelectorAll<HTMLElement>('main > [data-block-id]')]
  return children.length > 0 ? children.filter((block) => !isChrome(block)) : blocksOnPage()
}

/** The rows of a block in the order of the page. */
export function rowsOf(block: Element): readonly Row[] {
  const rows = new Map<string, Row>()
  for (const field of fieldsOf(block)) {
    const [, row, list, index] = /^((\w+)\[(\d+)\])(?:\.|$)/.exec(pathOf(field)) ?? []
    if (row === undefined || list === undefined || field.dataset['editableKind'] === 'cell') continue
    const existing = rows.get(row)
    const root = existing ? commonAncestor(existing.root, field) : field
    rows.set(row, { list, index: Number(index), root })
  }
  return [...rows.values()].filter(({ root }) => root !== block && block.contains(root))
}

function commonAncestor(element: HTMLElement, other: HTMLElement): HTMLElement {
  let ancestor = element
  while (!ancestor.contains(other) && ancestor.parentElement) ancestor = ancestor.parentElement
  return ancestor
}

const notInline = /(?:ctaHref|secondaryCtaHref|imageUrl|imageAlt|href|url)$|\.(?:src|alt|poster)$/
const inlineKinds = new Set<string | undefined>([undefined, 'text', 'richtext'])

/**
 * Marks a page whose editor confirmed the nonce, while it selects: older editors store no cells of tables.
 */
export const typingMark = 'data-editor-placeholders'
/** Whether a field can be edited in place: a leaf with plain text, by its name and its kind. */
export function isInline(field: HTMLElement): boolean {
  if (field.matches('[data-editable-marked]')) return true
  const path = pathOf(field)
  const isText =
    /^\w+(?:\[\d+\]\.\w+)?$/.test(path) &&
    !notInline.test(path) &&
    inlineKinds.has(field.dataset['editableKind'])
  return (
    (isText || (path.includes('][') && field.matches(`[${typingMark}] *`))) && field.childElementCount === 0
  )
}

/** The texts in an element that can be seen and edited in place. */
export const textsIn = (element: Element): readonly HTMLElement[] =>
  fieldsOf(element).filter((field) => isInline(field) && field.getClientRects().length > 0)

/** The picture of an image field; the mark is on the picture itself or on an element around it. */
export function pictureOf(field: HTMLElement): HTMLImageElement | undefined {
  const isImage = field.dataset['editableKind'] === 'image' || /(?:imageUrl|\.src)$/.test(pathOf(field))
  if (!isImage) return undefined
  return field instanceof HTMLImageElement ? field : (field.querySelector('img') ?? undefined)
}

/** What is in an element, with its areas. */
export function contentOf(element: Element): Range {
  const content = document.createRange()
  content.selectNodeContents(element)
  return content
}

/** Whether a field is neither typed in the page nor chosen there: an editor has it in its panel. */
export const isInPanel = (field: HTMLElement): boolean =>
  !isInline(field) && !pictureOf(field) && !pathOf(field).endsWith(']')

/** The lines of the texts of a block, and whether they are those of one field. */
export const linesOf = (block: Element, path: string | undefined) =>
  fieldsOf(block)
    .filter(
      (field) => isInline(field) || (isInPanel(field) && !field.querySelector('[data-editable-target]')),
    )
    .flatMap((field) =>
      [...contentOf(field).getClientRects()].map((area) => ({ area, isSelected: pathOf(field) === path })),
    )

/** Classes and attributes that the bridge adds, and which are not content. */
export const selectedClass = 'editor-highlight'
export const editingClass = 'editor-inline-editing'
/** The attributes of a row: its list, and its place in it. */
export const rowMarks = ['data-editor-list-key', 'data-editor-list-index'] as const
