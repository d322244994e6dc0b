import t from 'tap'
import { caps } from './caps.ts'
import { linesOfRooms } from './lines.ts'

const remedy = 'in test/architecture/caps.ts, in a commit whose body says which mechanism came and which went'

/** The rooms over their cap, without one, and gone, each as a sentence. */
function problemsOf(rooms: ReadonlyMap<string, number>, caps: Readonly<Record<string, number>>) {
  const grown = [...rooms].flatMap(([room, lines]) => {
    const cap = caps[room]
    if (cap === undefined) return [`the room ${room} has no cap: add it ${remedy}`]
    return lines > cap
      ? [`the room ${room} has ${lines} lines, and may have ${cap}: change the table ${remedy}`]
      : []
  })
  const gone = Object.keys(caps).filter((room) => !rooms.has(room))
  return [...grown, ...gone.map((room) => `the room ${room} is gone: remove it ${remedy}`)]
}

t.test('no room has more lines than its cap, and every room has one', (t) => {
  const rooms = new Map([
    ['draft', 101],
    ['chat', 100],
    ['new', 1],
  ])
  t.match(problemsOf(rooms, { draft: 100, chat: 100, old: 10 }), [
    /^the room draft has 101 lines, and may have 100: change the table in .* which mechanism came and which went$/,
    /^the room new has no cap/,
    /^the room old is gone/,
  ])
  t.ok(linesOfRooms().size > 20, 'the rooms were found')
  t.strictSame(problemsOf(linesOfRooms(), caps), [])
  t.end()
})
