export interface MarkOptions {
  /** The name of the field for people. */
  readonly label?: string | undefined
  /** The kind of the field, such as `text`, `richtext` or `image`; without it, its name decides how it is edited. */
  readonly kind?: string | undefined
  /** Whether Shift+Enter breaks the line. */
  readonly multiline?: boolean | undefined
}

/**
 * Returns the attributes with which an editor finds a block on a page, or with a `path` one of its fields or rows:
 * `heading`, `cards[0]`, `cards[0].title`. An index is the one in the stored list. Images are marked on an element
 * around them.
 */
export function marks(
  block: { readonly id: string; readonly type: string },
  path?: string,
  { label, kind, multiline }: MarkOptions = {},
): Readonly<Record<string, string>> {
  if (path === undefined) return { id: block.id, 'data-block-id': block.id, 'data-block-type': block.type }
  return {
    'data-editable-target': path,
    ...(label !== undefined && { 'data-editable-label': label }),
    ...(kind !== undefined && { 'data-editable-kind': kind }),
    ...(multiline === true && { 'data-editable-multiline': '' }),
  }
}
