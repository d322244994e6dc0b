import t from 'tap'
import { byWhom } from '../../plugins/studio/app/stores/by-whom.ts'

t.test('people, programs, agents and the website have their names', async (t) => {
  const ana = { name: 'Ana' }
  const rows: readonly (readonly [Parameters<typeof byWhom>[0], string])[] = [
    [{ actor: { kind: 'system' }, channel: 'site' }, 'the website'],
    [{ actor: { kind: 'person', id: 'anyone', browser: ana }, channel: 'api' }, 'Ana'],
    [{ actor: { kind: 'person', id: 'anyone', browser: {} } }, 'someone in the studio'],
    [{ actor: { kind: 'person', id: 'loopback' } }, 'someone'],
    [{ actor: { kind: 'person', id: 'ci' } }, 'ci'],
    [{ actor: { kind: 'program', id: '3fa91c0d21b2', name: 'Night import' } }, 'Night import'],
    [
      { actor: { kind: 'program', id: '3fa91c0d21b2', name: 'Desk', browser: ana }, channel: 'api' },
      'Ana (Desk)',
    ],
    [{ actor: { kind: 'program' } }, 'a program'],
    [{ actor: { kind: 'agent', id: 'fixed', client: 'claude-code' }, channel: 'mcp' }, 'claude-code'],
    [{ actor: { kind: 'agent', id: '3fa9', name: 'Desk', client: 'claude-code' } }, 'claude-code (Desk)'],
    [{ actor: { kind: 'agent', id: 'anyone' }, channel: 'mcp' }, 'an assistant'],
    [
      { actor: { kind: 'agent', id: 'open-dev', browser: ana }, channel: 'agent' },
      'the content agent for Ana',
    ],
    [{ actor: { kind: 'agent', id: 'jira' }, channel: 'jira' }, 'Jira'],
    [{ actor: { kind: 'agent', id: 'jira' } }, 'Jira'],
    [{ actor: { kind: 'agent', id: 'anyone' } }, 'a program'],
  ]
  for (const [made, name] of rows) t.equal(byWhom(made), name)
})
