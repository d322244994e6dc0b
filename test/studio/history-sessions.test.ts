import t from 'tap'
import { sessionsOf, type LoggedEdit } from '../../plugins/studio/app/history/sessions.ts'

t.test('what a person types in one go is one line', async (t) => {
  const edit = (version: number, minute: number, more: Partial<LoggedEdit> = {}): { edit: LoggedEdit } => ({
    edit: {
      version,
      at: new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString(),
      slug: '/',
      slugs: ['/'],
      source: 'direct',
      opTypes: ['update_props'],
      actor: { kind: 'person', id: 'anyone', browser: { id: 'ana' } },
      ...more,
    },
  })
  const sizes = (...lines: readonly { readonly edit?: LoggedEdit }[]) =>
    sessionsOf(lines.toReversed(), ({ edit }) => edit).map((group) => group.length)
  const three = [edit(1, 0), edit(2, 1), edit(3, 9)]
  t.strictSame(sizes(...three), [3])
  t.strictSame(sizes(...three, edit(4, 20)), [1, 3], 'after a longer pause')
  t.strictSame(sizes(...three, edit(4, 10, { slug: '/a', slugs: ['/a'] })), [1, 3], 'on another page')
  t.strictSame(sizes(...three, edit(4, 10, { opTypes: ['add_block'] })), [1, 3], 'what is no typing')
  t.strictSame(sizes(...three, edit(4, 10, { source: 'undo' })), [1, 3], 'an undo')
  t.strictSame(
    sizes(...three, edit(4, 10, { actor: { kind: 'person', id: 'anyone', browser: { id: 'ben' } } })),
    [1, 3],
    'another person',
  )
  t.strictSame(sizes(edit(1, 0), edit(2, 1), {}, edit(3, 2)), [1, 1, 1, 1], 'a publish is between')
  t.strictSame(sizes(edit(1, 0), edit(2, 1)), [1, 1], 'two edits are two lines')
})
