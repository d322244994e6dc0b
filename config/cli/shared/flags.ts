import { assemble, type Assembly } from '../../assemble.ts'
import type { Flag, Given, Io } from './command.ts'

/** The flags of every command that loads the installation. */
export const sharedFlags = {
  config: { value: 'FILE', help: 'Reads this configuration file instead of the one in the working directory.' },
  host: { value: 'ADDRESS', help: 'Listens on this address; HOST, else 127.0.0.1.' },
  port: { value: 'PORT', help: 'Listens on this port; PORT, else 4200. 0 takes any free one.' },
  'data-dir': { value: 'FOLDER', help: 'Uses this data folder; ORCHESTRATOR_DATA_DIR, else .orchestrator.' },
  'log-level': { value: 'LEVEL', help: 'Logs from this level on: trace, debug, info, warn, error, fatal, silent.' },
} as const satisfies Readonly<Record<string, Flag>>

/** Loads the installation that the shared flags and the environment describe. */
export const assembleFor = ({ text }: Given<keyof typeof sharedFlags>, io: Io): Promise<Assembly> => assemble(io, {
  config: text('config'), host: text('host'), port: text('port'), 'data-dir': text('data-dir'), 'log-level': text('log-level'),
})

export const jsonFlag: Readonly<Record<'json', Flag>> = { json: { help: 'Prints JSON.' } }
