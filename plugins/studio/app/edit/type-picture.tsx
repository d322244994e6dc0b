/** A small picture of a block type for the palette, sketched from its fields in their order. */
import { hasPicture, type BlockType, type Field } from '../stores/block-types.ts'

type PictureShape = readonly [
  x: number,
  y: number,
  width: number,
  height: number,
  variant?: 'strong' | 'picture' | 'button',
]
interface Sketch {
  readonly height: number
  readonly draw: (y: number, width: number) => readonly PictureShape[]
}

const gap = 3
const [fullWidth, fullHeight] = [56, 40]

const heading: Sketch = { height: 4, draw: (y, width) => [[0, y, width * 0.7, 4, 'strong']] }
const line: Sketch = { height: 2, draw: (y, width) => [[0, y, width * 0.5, 2]] }
const paragraph: Sketch = {
  height: 8,
  draw: (y, width) => [1, 0.95, 0.6].map((part, at) => [0, y + at * 3, width * part, 2] as const),
}
const button: Sketch = { height: 5, draw: (y) => [[0, y, 14, 5, 'button']] }
const columns = (width: number): readonly (readonly [x: number, width: number])[] =>
  [0, 1, 2].map((at) => [(at * (width + gap)) / 3, (width - 2 * gap) / 3] as const)
const pictures: Sketch = {
  height: 16,
  draw: (y, width) => columns(width).map(([x, each]) => [x, y, each, 16, 'picture'] as const),
}
const rows: Sketch = {
  height: 10,
  draw: (y, width) =>
    columns(width).flatMap(([x, each]) => [
      [x, y, each * 0.7, 3, 'strong'] as const,
      [x, y + 5, each, 2] as const,
      [x, y + 8, each * 0.8, 2] as const,
    ]),
}

const sketches: Partial<Readonly<Record<Field['kind'], Sketch>>> = {
  html: paragraph,
  richtext: paragraph,
  link: button,
  url: button,
  imageList: pictures,
  stringList: rows,
}

/** What a block of a type looks like, as far as its fields say so: the first that fit, a picture beside them. */
export function TypePicture({ type: { fields = {} } }: { readonly type: BlockType }) {
  const shown = Object.values(fields).filter((field) => !field.internal && !field.panelOnly)
  const isBesidePicture = shown.some(({ kind }) => kind === 'image')
  const width = isBesidePicture ? fullWidth * 0.55 : fullWidth
  const shapes: PictureShape[] = []
  let y = 0
  for (const [at, sketch] of shown.flatMap((field) => sketchOf(field) ?? []).entries()) {
    // The first text of a block is its heading.
    const { height, draw } = at === 0 && sketch === line ? heading : sketch
    if (y + height > fullHeight) break
    shapes.push(...draw(y, width))
    y += height + gap
  }
  const top = (y - gap - fullHeight) / 2
  if (isBesidePicture) shapes.push([width + gap, top, fullWidth - width - gap, fullHeight, 'picture'])
  return (
    <svg class="type-picture" viewBox={`0 ${top} ${fullWidth} ${fullHeight}`} aria-hidden="true">
      {shapes.map(([x, y, width, height, variant]) => (
        <rect data-look={variant} x={x} y={y} width={width} height={height} rx="1" />
      ))}
    </svg>
  )
}

function sketchOf({ kind, multiline, itemFields, itemFieldsByType }: Field): Sketch | undefined {
  if (kind === 'text') return multiline ? paragraph : line
  if (kind === 'list') return hasPicture([itemFields, itemFieldsByType]) ? pictures : rows
  return sketches[kind]
}
