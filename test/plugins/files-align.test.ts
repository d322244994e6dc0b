import t from 'tap'
import { align, documentFile, type ReadBlock } from '../../plugins/files/port.ts'
import { contentOf, readingOf } from '../helpers/file-edits.ts'

const kind = documentFile()

/** The ids of the blocks of the second text, as those of the first: `b0`, `b1` and so on. */
function ids(before: string, after: string): string {
  let count = 0
  const fresh = ({ type }: ReadBlock) => `new ${type}${(count += 1)}`
  return align(contentOf(readingOf(kind, before)).blocks, readingOf(kind, after).blocks, fresh).join(', ')
}

const text = '# Boats\n\nOne about oak.\n\nTwo about elm.\n\n- list\n\nThree of ash.\n'

t.test('a block keeps its id while it is the same, or between the same neighbours', (t) => {
  t.equal(ids(text, text), 'b0, b1, b2, b3, b4')
  t.equal(ids(text, text.replace('elm', 'larch')), 'b0, b1, b2, b3, b4', 'edited')
  t.equal(
    ids(text, text.replace('Two about elm.', 'Other words entirely')),
    'b0, b1, b2, b3, b4',
    'equally many',
  )
  t.equal(
    ids(text, text.replace('- list', 'A new one.\n\n- list')),
    'b0, b1, b2, new Paragraph1, b3, b4',
    'added',
  )
  t.equal(ids(text, text.replace('Two about elm.\n\n', '')), 'b0, b1, b3, b4', 'removed')
  t.equal(
    ids(text, text.replace('Two about elm.', 'Something else.\n\nTwo about an elm.')),
    'b0, b1, new Paragraph1, b2, b3, b4',
    'of several, the one that shares half of its words',
  )
  t.equal(
    ids(text, text.replace('- list', '> quote')),
    'b0, b1, b2, new Quote1, b4',
    'another kind is another block',
  )
  t.equal(
    ids(text, text.replace('# Boats\n\n', '').replace('Three', '# Boats\n\nThree')),
    'b1, b2, b3, b0, b4',
    'one that moved',
  )
  t.end()
})

t.test('details are one block, whatever is in them', (t) => {
  t.equal(ids('---\na: 1\n---\nx', '---\nb: other\nc: d\n---\nnew\n\nx'), 'b0, new Paragraph1, b1')
  t.equal(ids('', 'x'), 'new Paragraph1')
  t.equal(ids('x', ''), '')
  const many = Array.from({ length: 1200 }, (_, n) => `Paragraph ${n}.\n\n`).join('')
  const others = many.replaceAll('Paragraph', 'Sentence')
  t.equal(ids(many, others).split(', ')[1199], 'b1199', 'a page that differs everywhere ends in time')
  t.end()
})
