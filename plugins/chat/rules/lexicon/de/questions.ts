import type { Rule } from '../lexicon.ts'

const here = '[[@on] page:$Page]'
const problems = '(probleme | fehler | mängel)'
const ours = '(der | unserer | meiner | dieser)'
const me = '(ich | wir | man | du | sie)'
const kinds = '(abschnitte | blöcke | bereiche | sektionen | komponenten | elemente | blocktypen | abschnittstypen)'

/** What German sentences only ask. The whole message has to fit; `$Rest` is any words. */
export const questions: readonly Rule[] = [
  {
    action: 'blockCatalogue',
    forms: [
      `welche [anderen | weiteren | arten von] ${kinds} (kann | können | könnte | könnten | kannst) ${me} [hier | noch | @on page:$Page] (hinzufügen | einfügen | verwenden | ergänzen | nutzen | einbauen) [?]`,
      `welche [anderen | weiteren] ${kinds} (gibt es | sind verfügbar | stehen zur verfügung | existieren) [noch] [?]`,
      `was (kann | können | könnte) ${me} [hier | noch | alles | @on page:$Page] (hinzufügen | einfügen | ergänzen) [?]`,
      `[zeige | zeig | liste] [mir] (alle | die) (verfügbaren ${kinds} | blocktypen | abschnittstypen) [auf] [?]`, `verfügbare ${kinds} [?]`,
    ],
  },
  {
    action: 'editableFields',
    forms: [
      `was (kann | können | könnte) ${me} [hier | alles | hier alles | @on page:$Page | @inside block:$Block | an block:$Block] (ändern | bearbeiten | anpassen) [?]`,
      `was ist [hier | @on page:$Page | @inside block:$Block | an block:$Block] (bearbeitbar | änderbar | editierbar) [?]`,
      `welche (felder | texte | eigenschaften) (kann | können) ${me} [hier | @on page:$Page | @inside block:$Block | an block:$Block] (ändern | bearbeiten | anpassen) [?]`,
      `welche (felder | eigenschaften) [gibt es [hier | @on page:$Page | @inside block:$Block] | hat block:$Block] [?]`,
      `was lässt sich [hier | @on page:$Page | @inside block:$Block | an block:$Block] (ändern | bearbeiten) [?]`,
      '(zeige | zeig | liste) [mir] (die | alle) [bearbeitbaren] felder [@of block:$Block] [auf] [?]',
    ],
  },
  {
    action: 'pageList',
    forms: [
      '(zeige | zeig | liste | nenne) [mir] [alle | die | unsere | meine] [@pagesWord] @pagesWord [der @site | auf] [?]',
      '(zeige | zeig | liste | nenne) [mir] [alle | die | unsere | meine] @pagesWord [auf] [?]',
      `welche @pagesWord (gibt es | haben wir | habe ich | existieren | hat die @site) [?]`,
      'wie viele @pagesWord [gibt es | haben wir | habe ich | existieren | hat die @site] [?]',
      'wieviele @pagesWord (gibt es | haben wir | hat die @site) [?]', '(alle @pagesWord) [auflisten | anzeigen | zeigen]',
    ],
  },
  {
    action: 'inventory',
    forms: [
      `(zeige | zeig | liste | nenne) [mir] [alle | die | unsere | meine] thing:$Thing ${here} [auf] [?]`,
      `(wie viele | wieviele) thing:$Thing ${here} [?]`,
      `(wie viele | wieviele | welche) thing:$Thing (gibt es | haben wir | habe ich | sind | hat page:$Page | sind da | existieren) ${here} [?]`,
      `was für thing:$Thing (gibt es | haben wir) ${here} [?]`,
    ],
  },
  {
    action: 'checkSite',
    forms: [
      `was (stimmt | passt) [@on | mit] ${ours} @site nicht [?]`, `was ist [@on | mit] ${ours} @site (falsch | kaputt) [?]`, `(gibt es | hat) ${problems} [@on | mit] ${ours} @site [?]`,
      `(zeige | zeig | liste | nenne | finde) [mir] [alle | die] ${problems} [@on] ${ours} @site [auf] [?]`, '(prüfe | prüf | überprüfe) (die | unsere | meine) @site auf (fehler | probleme) [.|!]',
    ],
  },
  {
    action: 'checkPage',
    forms: [
      'was (stimmt | passt) [hier | (@on | mit) page:$Page] nicht [?]', 'was ist [hier | (@on | mit) page:$Page] (falsch | kaputt) [?]', `gibt es [hier | @on page:$Page] ${problems} [hier | @on page:$Page] [?]`,
      `(zeige | zeig | liste | nenne | finde) [mir] [alle | die] ${problems} [@on page:$Page | hier] [auf] [?]`, '(prüfe | prüf | überprüfe) page:$Page auf (fehler | probleme) [.|!]',
    ],
  },
  { action: 'fixSite', forms: [`(behebe | beheb | korrigiere) [alle | die] ${problems} [@on] ${ours} @site [.|!]`] },
  { action: 'fixPage', forms: [`(behebe | beheb | korrigiere) [alle | die] ${problems} [@on page:$Page | hier] [.|!]`, '(behebe | beheb | korrigiere), was (die prüfungen gefunden haben | falsch ist | sich beheben lässt) [.|!]'] },
  {
    action: 'advice',
    forms: [
      '(soll | sollte | sollen | sollten) (ich | wir | man) rest:$Rest',
      '(empfiehlst du | empfehlen sie | würdest du rest:$Rest empfehlen | findest du | meinst du | denkst du) rest:$Rest',
      'würdest du rest:$Rest (empfehlen | vorschlagen) [?]', 'ist rest:$Rest eine gute idee [?]',
      'wäre rest:$Rest (sinnvoll | gut | eine gute idee) [?]', 'ist es (sinnvoll | eine gute idee) rest:$Rest',
      `wie (kann | könnte | können | könnten) ${me} [(page:$Page | block:$Block | die @site | das)] (verbessern | optimieren | besser machen) [?]`,
      `was (sollte | könnte | kann | können | sollten) [${me}] [hier | @on page:$Page] (verbessert werden | verbessern | besser machen) [?]`,
      '(prüfe | prüf | überprüfe | bewerte) [page:$Page | die @site | das] [?]',
      '(hast du | haben sie) (vorschläge | ideen | tipps | verbesserungsvorschläge) [für page:$Page] [?]',
      'was fehlt [hier | @on page:$Page | noch | hier noch] [?]',
    ],
  },
  {
    action: 'help',
    forms: [
      'hilfe [!|.|?]', 'hilf mir [!|.]', 'was (kannst du | können sie) [hier | alles | für mich | hier alles] [tun | machen] [für mich] [?]',
     
      'wie (funktioniert | geht) (das | es | das hier) [?]', 'wer bist du [?]', '(zeige | zeig | nenne) [mir] [ein paar] (beispiele | befehle) [?]',
      'was verstehst du [?]',
    ],
  },
  {
    action: 'selectedImage',
    forms: [
      '(beschreibe | beschreib) (dieses | das) @image [.|!]', 'was (ist | sieht man) auf (diesem | dem) @image [zu sehen] [?]',
      'was zeigt (dieses | das) @image [?]', '(woher | wo) (kommt | ist | stammt) (dieses | das) @image [her] [?]',
    ],
  },
  {
    action: 'negated',
    forms: [
      '(@anyVerb | @otherVerb | @addHinzu | @removeRaus | @renameUm) [rest:$Rest] nicht [hinzu | ein | um | an | heraus | raus | weg | aus | ab]',
      'rest:$Rest nicht (@anyVerb | @addLast | @removeLast | @setLast | @moveLast | @renameLast | @createLast | anfassen | verändern)',
      '(nicht | niemals | nie | vermeide | vermeiden sie | hör auf) rest:$Rest',
      '(@anyVerb | @addHinzu | @otherVerb) (kein | keine | keinen | keinesfalls | niemals | nie | auf keinen fall) rest:$Rest',
      '(kein | keine | keinen | keinesfalls | auf keinen fall) rest:$Rest', '(@anyVerb | @otherVerb) (nichts | niemals rest:$Rest)',
      'nichts (ändern | tun | machen)', '(nicht | niemals)',
    ],
  },
  {
    action: 'history',
    forms: [
      '(mach | mache | nimm) [das | es | die letzte änderung | alles] (rückgängig | zurück)',
      '(mach | mache | nimm) rest:$Rest (rückgängig | zurück)', 'rückgängig [machen]',
      '[rest:$Rest] (rückgängig machen | zurücknehmen | wiederherstellen)', '(stelle | stell) rest:$Rest wieder her',
      '(widerrufe | wiederhole) [das | es | die letzte änderung]',
    ],
  },
  {
    action: 'publishing',
    forms: [
      '(veröffentliche | publiziere | veröffentlichen | veröffentlichen sie) [rest:$Rest]',
      'rest:$Rest (veröffentlichen | publizieren | live stellen | live schalten | online stellen)',
      '(stelle | stell | schalte | schalt) rest:$Rest (live | online)', 'geh live', 'live gehen',
    ],
  },
]
