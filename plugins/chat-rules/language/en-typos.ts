/** Common typing mistakes: the word, then how it is misspelled. Nothing else is guessed. */
const misspelled = `
  above: abov abvoe / after: aftre / and: adn anf nad / answer: answr anwser aswer awnser
  background: backgroud backround bakground / banner: baner banne bannner bannr / before: befoer
  below: bellow belwo / between: beetween betwen bewteen / bottom: botom bototm
  button: bttn buton butotn buttn buttton / called: caled calld claled / can: cna
  carousel: carosel carousal carousell caroussel / change: cahnge chage chagne chaneg chnage chnge hcange
  column: colum / columns: collumns coloumns colums / could: coud / create: ceate craete creat crete
  delete: deleat deleet delet delte dleete
  description: decription desciption descripton descrption desription discription
  duplicate: dublicate duplcate dupliacte duplicat / eyebrow: eybrow eyebrown
  feature: featuer feautre feture / features: featues featurs feautres fetures / first: fisrt frist
  gallery: galery gallary gallerie gallry / heading: haeding headding headign headin headng heding
  headline: haedline headine headlien headlin headling heahline hedline / homepage: hompage
  image: iamge imgae imge / insert: inser insrt isnert / link: ilnk lnik / logo: logoo / menu: menue
  move: moev mvoe / navigation: navigaton navigtion / page: paeg pgae / picture: pciture pictrue pictur
  please: plaese pleaes pleas plese plss plz / position: positon postion
  question: qestion quesiton questoin queston / quote: qoute / quotes: qoutes / read: readd
  remove: remov remve remvoe reomve rmove romove / rename: ranme reanme renam renmae
  replace: relpace repalce replase replce rplace / second: secnd seocnd
  section: sction seciton sectio sectoin secton / should: shold sholud shoud shuold
  statistics: statistcs / subheading: subheadign subheadng subheding / subtitle: subtitel / swap: swpa
  tagline: tagine taglin tagling taglne
  testimonial: tesimonial testamonial testimonail testimonal testomonial
  testimonials: tesimonials testamonials testimonails testimonals testomonials / the: hte teh th thte
  third: thrid / title: tilte titel titile tittle ttile / titled: titeld / to: ot tot
  update: udpate upadte upate updat updte / video: vedio vidoe / with: wih wiht wtih / you: u yuo
  your: ur
`

export const typos: Readonly<Record<string, string>> = Object.fromEntries(misspelled.split(/[/\n]/).flatMap((entry) => {
  const [word = '', mistakes = ''] = entry.split(':').map((part) => part.trim())
  return mistakes.split(' ').filter(Boolean).map((mistake) => [mistake, word])
}))
