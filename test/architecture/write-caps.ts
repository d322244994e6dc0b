/** Writes the table of caps from the present lines. */
import { readFileSync, writeFileSync } from 'node:fs'
import { capFor, linesOfRooms } from './lines.ts'

const file = new URL('caps.ts', import.meta.url)
const rows = [...linesOfRooms()].map(([room, lines]) => {
  const key = /^\w+$/.test(room) ? room : `'${room}'`
  return `  ${key}: ${capFor(lines)},\n`
})
writeFileSync(file, readFileSync(file, 'utf8').replace(/(?<== \{\n)[^}]*/, rows.join('')))
