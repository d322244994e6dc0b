import type { Courtesies } from '../lexicon.ts'
import { each } from './inflect.ts'

/** What people say in German to be friendly. */
export const courtesies: Courtesies = {
  thanks: [
    'danke', 'dankeschön', 'merci', 'thx', ...each(['danke'], ['schön', 'sehr', 'dir', 'euch', 'ihnen', 'vielmals']),
    ...each(['vielen', 'vielen lieben', 'lieben', 'herzlichen', 'besten', 'schönen', 'tausend'], ['dank']), ...each(['ich danke', 'wir danken'], ['dir', 'euch', 'ihnen']),
  ],
  praise: [
    'super', 'prima', 'toll', 'perfekt', 'klasse', 'cool', 'spitze', 'top', 'genial', 'wunderbar', 'ausgezeichnet', 'hervorragend', 'großartig', 'gut',
    'schön', 'fein', 'passt', 'gut gemacht', 'gefällt mir', 'das gefällt mir', ...each(['sieht', 'das sieht'], ['gut', 'super', 'toll', 'prima', 'schön', 'klasse'], ['aus']),
  ],
  greetings: [
    'hallo', 'hi', 'hey', 'moin', 'servus', 'grüezi', 'grüß gott', 'grüß dich', 'guten morgen', 'guten tag', 'guten abend', 'wie geht es dir', 'wie geht es ihnen',
    "wie geht 's", 'wie gehts',
  ],
  farewells: ['tschüss', 'tschüs', 'ciao', 'auf wiedersehen', 'auf wiederhören', 'gute nacht', 'bis bald', 'bis dann', 'bis später', 'schönen tag', 'schönen tag noch'],
  around: [
    'ok', 'okay', 'alles klar', 'so', 'das', 'das ist', 'und', 'ist', 'jetzt', 'sehr', 'wirklich', 'schon', 'mal', 'auch', 'dir', 'ihnen', 'dafür', 'zusammen', 'nochmal',
    ...each(['für'], ['die hilfe', 'deine hilfe', 'ihre hilfe', 'alles']), 'du', 'mir', 'noch', 'dann', 'einen',
  ],
}
