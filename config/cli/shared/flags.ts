import type { AssemblyFlags } from '../../assemble.ts'
import type { Flag, Given } from './command.ts'

type Shared = 'config' | 'host' | 'port' | 'data-dir' | 'log-level'

/** The flags of every command that looks at the installation. */
export const sharedFlags: Readonly<Record<Shared, Flag>> = {
  config: {
    value: 'FILE',
    help: 'Reads this configuration file instead of the one in the working directory.',
  },
  host: { value: 'ADDRESS', help: 'Listens on this address; HOST, else 127.0.0.1.' },
  port: { value: 'PORT', help: 'Listens on this port; PORT, else 4200. 0 takes any free one.' },
  'data-dir': { value: 'FOLDER', help: 'Keeps everything here; ORCHESTRATOR_DATA_DIR, else .orchestrator.' },
  'log-level': {
    value: 'LEVEL',
    help: 'Logs from this level on: trace, debug, info, warn, error, fatal, silent.',
  },
}

/** The shared flags as they were typed. */
export function readShared(given: Given<Shared>): AssemblyFlags {
  return {
    config: given.text('config'),
    host: given.text('host'),
    port: given.text('port'),
    'data-dir': given.text('data-dir'),
    'log-level': given.text('log-level'),
  }
}

export const jsonFlag: Readonly<Record<'json', Flag>> = { json: { help: 'Prints JSON.' } }
