import { environmentTable, environmentText } from './environment.ts'
import { exportsText } from './exports.ts'
import { gatesTable } from './gates.ts'
import { optionsText } from './options.ts'
import { refsTable } from './refs.ts'
import { routesText } from './routes.ts'
import { tagsTable } from './tags.ts'
import { versionsTable } from './versions.ts'

/** The fixtures by name: the public surface for clients, operators and importers. */
export const fixtures: Readonly<Record<string, () => string | Promise<string>>> = {
  'routes.txt': routesText,
  'exports.txt': exportsText,
  'environment.txt': environmentText,
  'config-options.txt': optionsText,
}

/** The file with the table of gates. */
export const gatesFile = 'plugins/auth/README.md'

/** The tables of each file by the name in their marker. */
export const tables: Readonly<Record<string, Readonly<Record<string, () => string | Promise<string>>>>> = {
  'config/README.md': { environment: environmentTable, versions: versionsTable },
  [gatesFile]: { gates: gatesTable },
  'plugins/README.md': { refs: refsTable, tags: tagsTable },
}
