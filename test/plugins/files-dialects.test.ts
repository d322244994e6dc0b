import t from 'tap'
import { documentFile } from '../../plugins/files/port.ts'
import { difference, patchBlocks, readingOf, type OpenBlock } from '../helpers/file-edits.ts'

const shown = (kind: ReturnType<typeof documentFile>, text: string) =>
  readingOf(kind, text).blocks.map(({ type, props }) => [type, props])

t.test('definitions of links are rows, of which each keeps the bytes that were not edited', (t) => {
  const text = `A [b].\n\n[b]:  <x y>  'T'\n[c]: /c\n\n[d]: d\n<!-- e -->\n`
  const kind = documentFile()
  const links = [
    { label: 'b', href: 'x y', title: 'T' },
    { label: 'c', href: '/c', title: '' },
  ]
  t.strictSame(shown(kind, text), [
    ['Paragraph', { text: 'A [b].' }],
    ['Links', { links }],
    ['Source', { text: '[d]: d\n<!-- e -->' }],
  ])
  const set = (rows: readonly object[]): string =>
    difference(
      text,
      patchBlocks(kind, text, (blocks) => {
        const block = blocks.find(({ type }) => type === 'Links')
        if (block) block.props['links'] = rows
      }),
    )
  const [b, c] = links
  t.equal(set([{ ...b, href: '/b' }, { ...c }]), '<x y> => /b')
  t.equal(set([{ ...b, title: 'a "b"' }, { ...c }]), ` 'T' => "a \\"b\\""`)
  t.equal(set([{ ...b }, { ...c, label: 'C' }]), 'c => C')
  t.equal(set([{ ...b }]), '[c]: /c\n => ')
  t.equal(set([{ ...c }, { ...b }]), `b]:  <x y>  'T'\n[c]: /c => c]: /c\n[b]:  <x y>  'T'`)
  t.equal(set([{ ...b }, { ...c }, { label: 'n', href: '/n(1)', title: '' }]), ' => [n]: </n(1)>\n')
  t.match(set([{ ...b, href: 'javascript:x' }, { ...c }]), /^code: /)
  t.match(set([{ ...b, label: 'a]b' }, { ...c }]), /^form: /)
  t.match(set([{ label: 'b' }]), /^form: This links has no such values/)
  t.match(set([]), /^form: /)
  const added = (blocks: OpenBlock[]) => [...blocks, { id: 'new', type: 'Links', props: { links } }]
  t.equal(difference('a\n', patchBlocks(kind, 'a\n', added)), ' => \n[b]: <x y> "T"\n[c]: /c\n')
  t.end()
})

t.test('tags of Markdoc on lines of their own are components, whose attributes are code', (t) => {
  const kind = documentFile({ markdoc: true })
  const text =
    '# A\n\n{% callout type="note" %}\nText *a*\n\n{% icon /%}\n\n{% /callout %}\n\nBefore\n{% partial file="x.md" /%}\n\nIn {% $a %}\n'
  t.strictSame(shown(kind, text), [
    ['Heading', { level: 1, text: 'A' }],
    ['Component', { name: 'callout', label: 'type="note"', source: 'Text *a*\n\n{% icon /%}\n' }],
    ['Paragraph', { text: 'Before' }],
    ['Component', { name: 'partial', label: 'file="x.md"', source: '' }],
    ['Paragraph', { text: 'In {% $a %}' }],
  ])
  const set = (at: number, props: object): string =>
    difference(
      text,
      patchBlocks(kind, text, (blocks) => void Object.assign(blocks[at]?.props ?? {}, props)),
    )
  t.equal(set(1, { source: 'Text *b*\n\n{% icon /%}\n' }), 'a => b')
  t.match(set(1, { source: 'Text {% x %}' }), /^code: /)
  t.match(set(1, { source: '{% /callout %}' }), /^(?:code|form): /)
  t.match(set(1, { label: 'type="tip"' }), /^code: /)
  t.match(set(3, { source: 'x' }), /^form: /)
  t.equal(shown(documentFile(), text)[1]?.[0], 'Paragraph', 'other Markdown has no such tags')
  t.end()
})
