import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import t from 'tap'
import { inSections, type SectionText, type Sections } from '../../plugins/files/testing.ts'
import { documentFile } from '../../plugins/files/port.ts'
import { contentOf, readingOf } from '../helpers/file-edits.ts'
import { fileSamples } from '../helpers/file-samples.ts'

const section = (n: number): string => `## Heading ${n}\n\n${`A paragraph of ${n}.\n\n`.repeat(40)}`
const long = Array.from({ length: 200 }, (_, n) => section(n)).join('')

/** Parses without a parser: each section is one node. */
function parsed(text: string, known: readonly Sections<{ from: number; to: number }>[] = []) {
  const sections: SectionText[] = []
  const steps = inSections(text, known, (each) => {
    sections.push(each)
    return [{ from: 0, to: each.text.length }]
  })
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  if ('unreadable' in step.value) throw new Error(step.value.unreadable)
  return { sections, known: step.value.sections }
}

t.test('of an edited document only the sections around the edit are parsed', (t) => {
  const first = parsed(long)
  t.ok(first.sections.length >= 200, `${first.sections.length} sections`)
  const at = Math.floor(long.length / 2)
  for (const added of ['x', '\n\n# A heading\n\n', 'A long text. '.repeat(100)]) {
    const again = parsed(long.slice(0, at) + added + long.slice(at), [first.known])
    t.ok(again.sections.length <= 4, `${again.sections.length} sections`)
  }
  t.end()
})

t.test(
  'a document is read as a whole is, also where a code, a comment or a list spans what looks like a cut',
  (t) => {
    const filling = 'Words of a paragraph.\n\n'.repeat(200)
    const spans = {
      code: `\`\`\`\n${filling}# none\n\`\`\``,
      comment: `<!--\n${filling}# none\n-->`,
      script: `<script>\n${filling}\n</script>`,
      'open code': `~~~\n${filling}`,
    }
    for (const [name, span] of Object.entries(spans)) {
      const reading = readingOf(documentFile(), `# Title\n\n${filling}${span}\n`)
      t.match(reading.blocks.at(-1)?.type, /^(?:Code|Source)$/, name)
      t.equal(reading.blocks.length, 202, name)
    }
    const element = `<Card>\n\n${filling}</Card>`
    t.equal(readingOf(documentFile({ mdx: true }), `# Title\n\n${filling}${element}\n`).blocks.length, 202)
    t.strictSame(
      documentFile({ mdx: true }).read(`# Title\n\n${filling}{a b}\n`),
      { unreadable: 'This is not MDX: Could not parse expression with acorn.', line: 403 },
      'the line of an error is that of the file',
    )
    t.end()
  },
)

t.test('sections have the nodes that a parser finds in the whole', (t) => {
  const texts = [
    ...Object.entries(fileSamples).flatMap(([name, text]) => (name.endsWith('.md') ? [text] : [])),
    'Line one.\nLine two.\n\n- a\n- b\n\n- c\n\nEnd  \n\n## H ##\n## I\n\n1. x\n\n   y\n\nSet\n===\n\nA | b\n--|--\n\n- a\n- ***\n\n-  b\n',
    `# A <b>\n\n> q\n\nText\n\n    code\n\nText\n- list\n\n  more\n\n\n\n[a]: b\n\n- c\n* d\n\n* e\n`,
  ]
  for (const text of [...texts, ...texts.map((each) => each.replaceAll(/\r?\n/g, '\r\n'))]) {
    const { blocks } = readingOf(documentFile(), text)
    const [first] = blocks
    const from = first?.type === 'Details' ? text.indexOf('---', first.to) + 3 : 0
    const body = text.slice(from)
    if (/^(?::::|\+\+\+)/m.test(body)) continue
    const { children } = fromMarkdown(body, { extensions: [gfm()], mdastExtensions: gfmFromMarkdown() })
    const unseen = ['html', 'definition', 'footnoteDefinition']
    t.strictSame(
      blocks
        .filter(({ type }) => !['Details', 'Source', 'Links'].includes(type))
        .map((each) => text.slice(each.from, each.to).trim()),
      children
        .filter(({ type }) => !unseen.includes(type))
        .map(({ position }) => body.slice(position?.start.offset, position?.end.offset).trim()),
    )
  }
  t.end()
})

t.test('a part that cannot be cut is parsed up to a size', (t) => {
  const list = (rows: number): string => `# Title\n\n${'- a row of a list\n'.repeat(rows)}\nThe end.\n`
  t.equal(readingOf(documentFile(), list(3000)).blocks.length, 3)
  t.match(documentFile().read(list(6000)), { unreadable: /more than 100 KB without a heading/, line: 3 })
  t.end()
})

t.test('a text is parsed in steps, and then read from what they have left', (t) => {
  const kind = documentFile()
  t.ok([...(kind.parse?.(long) ?? [])].length >= 200)
  t.equal([...(kind.parse?.(long) ?? [])].length, 0)
  const before = contentOf(readingOf(kind, long))
  const blocks = before.blocks.map((block, n) =>
    n === 3000 ? { ...block, props: { text: 'Words.' } } : block,
  )
  const patched = kind.patch(long, before, { ...before, blocks })
  t.ok('text' in patched && patched.text.includes('\n\nWords.\n\n'))
  t.end()
})
