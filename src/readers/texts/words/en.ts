import type { Words } from './language.ts'

export function en(): Words {
  return {
  small: 'the a an of at in on and with from by for to our your is',
  coming: 'this coming',
  next: 'next',
  every: 'every each weekly',
  eachTime: 'each daily nightly every performances performance',
  notTheBeginning:
    'adjourned shut shuts staged entries weigh prizegiving assemble door doors gate gates box office bar kitchen registration rego register check signup signin open opens opening bookings booking call accepted last latest deadline before staffed closed setup setting stallholders exhibitors arrive arrival sellers traders checkin',
  beginning: 'show starts start begins beginning dancing concert music curtain kickoff',
  notTheDay:
    'expires expire bib bibs enrolment enrollment sent by before until till deadline due close closes not no instead except excluding since published printed posted photo originally updated issued dated reopens strike rsvp valid returned signed published booking bookings prices rates',
  otherMatters:
    'interviews applications applicants salary closed closing hours resume staffed waived refunded presse photo photos reopens reopen roadworks leads renewal membership thanks thank wrote wanted allowed permitted',
  cancelled: 'cancelled canceled cancellation',
  calledOff: 'called off|call off|calling off|had to cancel|is off|have to cancel|decided to cancel|the call to cancel|hard call to cancel|tough call to cancel|forced to cancel|decision to cancel|having to cancel|had to scrap|have to scrap|had to call off',
  takingPlace: 'take place|taking place|takes place|go ahead|going ahead|be held|happen|happening|be running|proceed',
  postponed: 'postpone postponed postponing reschedule rescheduled rearranged moved deferred pushed',
  newDate: 'new rearranged',
  noDateYet: 'tba tbc later further new',
  but: 'but',
  conditional: 'if|may be|might be|could be|unless|in case|in the event|should it|should the|if it',
  negations: 'not no never nor t cannot cant wont isnt',
  full: 'full sold',
  free: 'free',
  collected: 'donation donations freewill',
  admission:
    'entry entrance balcony admission adm tickets ticket door adv advance cost price prices fee fees full general cover standing seated payable ringside early pass seats seat admittance access attendance tix gate',
  audience:
    'others siblings friends spectator spectators adult adults children child concessions concession students student seniors members non public visitors family families head person pp kids juniors guests guest teens youth retired unwaged waged nonmembers everyone kid oaps pensioners',
  notAdmission:
    'kilo kg cloakroom dozen prize prizes tab press published deposit stall stalls pitch pitches table tables raised dinner tea teas coffee biscuits cake cakes refreshments food drinks drink beer wine soup dogs burgers lunch raffle tombola strip membership subscription off discount parking park hire rent bike bicycle sale rates programme programmes voucher worth fine fines tee collection jackpot lotto camping dips overdue team teams burgers materials extra kits kit accommodation overnight winner winners sellers traders van lane season refundable car cars coach bus shuttle minibus ferry transport',
  greetings: 'hi hello hey dear folks all hiya greetings',
  numbers:
    'one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12 thirteen=13 fourteen=14 fifteen=15 sixteen=16 seventeen=17 eighteen=18 nineteen=19 twenty=20 thirty=30 forty=40 fifty=50',
  ordinals: 'first=1 1st=1 second=2 2nd=2 third=3 3rd=3 fourth=4 4th=4 fifth=5 sixth=6 seventh=7 eighth=8 ninth=9 tenth=10 eleventh=11 twelfth=12 thirteenth=13 fourteenth=14 fifteenth=15 sixteenth=16 seventeenth=17 eighteenth=18 nineteenth=19 twentieth=20 thirtieth=30 last=-1',
  ofMonth: 'month months',
  fortnight: 'fortnightly|every other|every two weeks|every second',
  meetings: 'weeks evenings sessions session nights mornings afternoons dates classes lessons times meetings week',
  places: 'hall room church centre center library theatre school pub inn barn park gallery clubhouse',
  houses: 'cafe restaurant hotel arms castle tavern college chapel museum arena stadium bar house lodge academy surgery',
  sites:
    'auditorium building abbey cathedral minster vicarage rectory field fields ground grounds pitch green common garden gardens lawn yard court studio lounge room rooms gym pool courthouse farm farmhouse mill manor mansion palace quarry harbour harbor pier quay beach lake pond marina dock docks slipway bandstand pavilion marquee tent station depot shed woolshed wood woods forest reserve trail trailhead lodge ranch campus schoolroom bookshop bookstore shop store market mall square plaza cinema playhouse opera orangery greenhouse allotment allotments workshop factory brewery distillery winery vineyard hospital clinic institute institution temple mosque synagogue monastery priory convent hostel camp campsite playground rink track racecourse showground fairground fire parkrun vestry crypt chancel rotunda atrium foyer lobby cafeteria canteen kitchen gate bridge tower lighthouse legion boathouse schoolhouse firehouse oratory friary observatory planetarium aquarium zoo grotto clubrooms courtyard quad annexe annex loft attic cellar basement parlour parlor guildhall townhall bakery smithy stables kennels orchard meadow paddock weir riverside cabin tearoom tearooms taproom arboretum conservatory glasshouse courtroom chambers cemetery churchyard graveyard cloister refectory ballroom foundry forecourt wharf jetty hub',
  streets: 'esplanade hwy highway terrace street road lane avenue st rd close drive court',
  sheets: 'sheet erratum errata notes release catalog catalogue newsletter notices issue bulletin parish news page updated printed founded est notice agenda minutes diary dates events programme listings calendar correction subject organised organized organiser last announcement info information reminder fixtures schedule alert memo circular',
  verbs: 'start is are will takes take would please returns planned scheduled has have had was were been can be starts begins meets met opens closes welcome come join bring lasts shuts shut hope see goes go',
  leads: 'sadly unfortunately regret rumour rumours forget remember reminder cancel invited announce inform yes',
  noTitles: 'miles km evenings sessions weeks please note important attention due weather wishes regards sincerely yours thanks cheers change changed forgot forgotten guys',
  bodies: 'council society association brigade committee guild trust league institute',
  presenting: 'gives invites invite presents present hosts brings offer offers organise organises organize organizes host',
  kinds: 'movie briefing hearing concert recital gig quiz talk lecture reading workshop course class fair fayre fete sale festival feast supper dinner lunch luncheon brunch breakfast barbecue bbq picnic party dance disco ceilidh ball gala jumble bazaar auction exhibition show play musical opera panto pantomime screening cabaret karaoke bingo tournament match race run walk hike ramble ride parade procession pageant carnival service mass evensong vespers communion eucharist pilgrimage vigil ceremony commemoration blessing carols meeting agm assembly forum debate seminar webinar conference symposium rehearsal singalong singing storytime rhymetime tour trip outing excursion yoga pilates zumba taster premiere production reunion celebration tasting demonstration contest competition championship regatta rally trail hunt hustings roast whist swap exchange camp retreat training lesson hackathon jam mic matinee preview launch litter cleanup crafternoon session craft knit market congress convention fireworks bonfire wassail stargazing birdwatching cruise crawl showcase fundraiser meetup slam symphony ballet duathlon triathlon marathon hootenanny wake rave repair trial tryout fry potluck cookout prayer',
  occasions: 'night evening morning afternoon day weekend social',
  kindEnds: '',
  links: 'of for with about by and on in the a to',
  genres:
    'theatre theater exhibition exhibitions music dance drama comedy humour art arts visual literature words stage films family families kids children teens adults seniors young people heritage nature party parties folk jazz rock pop classical festivals workshops talks concerts special screening screenings matinee holiday holidays half term',
  rules: 'rules regulations bylaws allowed permitted must prohibited forbidden deposit tenants tariffs',
  minutes: 'minutes apologies agreed proposed seconded treasurer resolved carried adjourned',
  vacancies: 'shifts tips agencies employer vacancy vacancies salary cv resume interviews applicants recruiting hiring wage hourly caretaker dbs',
  notices:
    'engineer technician plumber sweep exam exams outage outages supply burst pressure shut bin bins refuse recycling rubbish roadworks diversion diversions closure closures resurfacing traffic parked vehicles permit permits tax instalment payable invoice invoices overdue arrears rates survey consultation petition ballot nominations forecast gusts warning amber blizzard flooding timetable timetables departs departures route routes line fares surgery prescription prescriptions appointment appointments clinic pharmacy term inset unoccupied rent rental landlord tenancy bedroom bedrooms mortgage bargain bargains discount stock delivery microchip collar reward elected obituary vinyl paperback publisher scam scams fraud phishing grant grants applicants submissions editor volunteers weekdays callout',
  otherHeadings: 'vacancy vacancies job minutes',
  inviting: 'join come welcome summoned invite invited invites invitation tickets admission',
  buttons:
    'skip to content|skip to main content|skip to navigation|skip navigation|jump to content|jump to navigation|jump to main content|back to top|add to calendar|add to my calendar|add to google calendar|download ics|export event|share this|share this event|share this page|share on facebook|buy tickets|buy tickets now|book tickets|book now|book here|book your place|get tickets|more info|more information|find out more|read more|learn more|load more|show more|view more|view details|view map|view all events|see all events|all events|back to events|back to all events|back to whats on|event details|sign up to our newsletter|subscribe to our newsletter|newsletter sign up|follow us|privacy policy|cookie policy|cookie settings|terms and conditions|accessibility statement|site map|sitemap|log in|login|sign in|my account|basket|cart|your basket|checkout|toggle navigation|open menu|close menu|main menu|previous|next|previous event|next event|previous next|print this page|all rights reserved|previous events|next events|subscribe to calendar|save this event|interested|going|invite|hide map|show map|accept all|reject all|accept all cookies|manage cookies|manage preferences',
  menus:
    'tomorrow|this week|this weekend|this month|all|week|home|menu|search|events|whats on|news|visit|visit us|plan your visit|about|about us|contact|contact us|hire|hall hire|venue hire|shop|learn|join|join us|support us|support|donate|membership|collections|exhibitions|services|gallery|galleries|tickets|cafe|blog|faq|faqs|privacy|accessibility|terms|cookies|help|facebook|instagram|twitter|youtube|filter|filters|clear filters|share|tweet|print|email|map|list|month|today|google|outlook|ical|newsletter|categories|archive',
  related:
    'you might also like|you may also like|related events|related|similar events|more events|other events|upcoming events you might like|more like this|see also|dont miss|upcoming events|next events|also on|you might also enjoy|you may also be interested in|other upcoming events',
  opening:
    'box open opening opens hours times office',
  consent:
    'accept use uses using settings preferences reject',
}
}
