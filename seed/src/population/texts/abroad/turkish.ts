/** Turkish lines, words and short names of interests. Slots stand where no suffix has to follow them. */
export const lines: Readonly<Record<string, string>> = {
  'opener.warm': `
    Merhaba, ben {name}. Bunları okuduğuna sevindim.
    Bizim sofrada her zaman bir tabak fazladır.
    Arkadaşlarım çok sıkı sarıldığımı söyler.
    Kolay gülerim, reklamlarda bile ağlarım.
    Herkesin doğum gününü hatırlar, anahtarlarımı unuturum.
    İkinci şanslara ve ikinci çaya inanırım.
  `,
  'opener.dry': `
    Bu tamamen kız kardeşimin fikriydi.
    Kompozisyon yazmayacağımı söylemişlerdi.
    Özetle: {age} yaşında, bitkileri hâlâ hayatta.
    İyi yanım: dakiğim. Kötü yanım: bunu söylerim.
    Isırmam, ortada mantı yoksa.
    Annem bulunmaz bir fırsat olduğumu düşünüyor.
  `,
  'opener.plain': `
    Ben {name}, {age} yaşındayım, {city} şehrinde yaşıyorum.
    Burada yeniyim, o yüzden temel bilgilerle başlayayım.
    Sade bir hayatı severim: iyi insanlar, iyi yemek, temiz hava.
    Sakin, dürüst ve çoğu zaman dakik biriyim.
    Birkaç yıldır {quarter} semtinde oturuyorum, artık evim gibi.
    Bu yaşta ne istediğimi az çok biliyorum.
  `,
  place: `
    {quarter} semtinde fırıncı da kediler de beni tanır.
    {city} sabahın erken saatinde, daha uyanmadan güzeldir.
    Asansörsüz bir binanın üçüncü katında, bol ışıklı bir evde oturuyorum.
    Balkonumda iki sandalye var, biri boş.
    Pazar günleri semtte uzun bir yürüyüş yapar, simit alırım.
    Yolun buraya düşerse rehberi bırak, bana sor.
  `,
  work: `
    {field} çalışıyorum ve çoğu gün işimi seviyorum.
    Hafta içi {field} çalışıyorum, hafta sonu mümkünse deniz kenarındayım.
    {over25}Yıllardır {field} çalışıyorum, hâlâ yeni şeyler öğreniyorum.
    {field} çalışıyorum ama sen bana yaz tatilini sor.
    Ekmeğimi {field} kazanıyorum, şikâyetim yok.
  `,
  'work.student': `
    Hâlâ öğrenciyim, hafta sonları bir kafede çalışıyorum.
    Derslerin arasında beni kütüphanede bulursun, ya da hemen yanında.
  `,
  'work.retired': `
    Emekli oldum, bir dakikam bile boş değil.
    Emeklilikten beri hep ertelediğim şeyleri yapıyorum.
  `,
  'family.one_child': `
    {kidage} yaşında bir çocuğum var, her şeyden önce o gelir.
    Dondurmamı {kidage} yaşındaki küçük patronumla paylaşıyorum.
  `,
  'family.children': `
    Çocuklarım ({kidages}) beni hep hareket hâlinde tutuyor.
    Çocuklarım var ({kidages}), o yüzden planı önceden yaparım.
  `,
  'family.grown_one': `
    Çocuğum büyüdü, evden ayrıldı, şimdi sıra bende.
  `,
  'family.grown': `
    Çocuklar büyüdü, masa yine bana kaldı.
    Çocuklar evden ayrıldı ama pazar kahvaltısına geliyorlar.
  `,
  'family.divorced': `
    Boşandım, kırgınlık yok, iyi dostlar var.
    Evliliğim yıllar önce bitti, iyimserliğim bitmedi.
  `,
  'family.widowed': `
    Eşimi birkaç yıl önce kaybettim. Sevginin ne olduğunu biliyorum, yeniden karşılaşmak isterim.
    Sofrayı yine iki kişilik kurmak isterim.
  `,
  'family.wants': `
    Bir gün çocuk sahibi olmak isterim.
    Gürültülü bir kahvaltı sofrası hayal ediyorum.
  `,
  'pet.dog': `
    {dogname} adında bir köpeğim var, kaçta kalkacağımıza o karar veriyor.
    Evi {dogname} adlı bir köpekle paylaşıyorum, benden çok horluyor.
  `,
  'pet.cat': `
    Kedim seni tam iki hafta görmezden gelecek.
    Evin asıl sahibi {dogname} adında bir kedi.
  `,
  'interest.camping': `Bir çadır, bir demlik çay, başka bir şey istemem.`,
  'interest.walking': `Cumartesileri dağa çıkarım, çantada peynir ekmek.
    Amaçsız yürümeyi severim, iki kişi daha iyi.`,
  'interest.running': `Yavaş ama inançla koşarım.`,
  'interest.photography': `Eski kapıların ve başkalarının köpeklerinin fotoğrafını çekerim.`,
  'interest.gardening': `Balkonda domates yetiştiriyor, onlarla konuşuyorum.`,
  'interest.traveling': `Son gezim {visited} oldu, sıradaki {visited}.
    Az eşyayla gezer, sokakta yerim.`,
  'interest.art': `Bir tablonun önünde bir saat durabilirim.`,
  'interest.theater': `Tiyatroya sık giderim, yandaki koltuk genelde paltomun.`,
  'interest.reading': `Aynı anda üç kitap okur, ikisini bitiririm.
    Sahaflar benim zayıf noktam.`,
  'interest.writing': `Kimsenin istemediği öyküler yazıyorum.`,
  'interest.technology': `Aletleri sökmeyi severim, toplamak ayrı mesele.`,
  'interest.video_games': `Yağmurlu günlerde hiç utanmadan oyun oynarım.`,
  'interest.board_games': `Perşembe akşamları bizde tavla var.`,
  'interest.soccer': `Takımım için her hafta acı çekerim, aile geleneği.`,
  'interest.exercise': `Sabahları yüzerim, en iyi o zaman düşünürüm.`,
  'interest.cooking': `En iyi yaptığım yemek {dish}.
    Pazar günleri kim gelirse gelsin ocakta {dish} olur.`,
  'interest.food': `İyi bir {food} için şehrin öbür ucuna giderim.`,
  'interest.bars': `Eski meyhaneleri severim, televizyonsuz olanları.`,
  'interest.dancing': `Mutfakta bile dans ederim.`,
  'interest.live_concerts': `Küçük sahne, yüksek ses, keyfim yerinde.`,
  'interest.singing': `Koroda söylüyorum, bir de arabada.`,
  'interest.movies': `Sinemaya çok giderim, orta sıra, altyazılı.`,
  'interest.philosophy': `Büyük sorular küçük bardaklarla iyi gider.`,
  'interest.politics': `Siyaset tartışmayı severim, sonra hep beraber yemek yeniyorsa.`,
  'interest.community_service': `Haftada bir gün aşevinde gönüllüyüm.`,
  'interest.astronomy': `Ağustosta sahile uzanıp kayan yıldızları sayarım.`,
  'trait.outgoing': `Taşla bile sohbet ederim.`,
  'trait.quiet': `Önce az konuşurum, sonra susmam.`,
  'trait.curious': `Çok soru sorarım ama sevgiden.`,
  'trait.driven': `Liste yapmayı ve üstünü çizmeyi severim.`,
  'trait.relaxed': `Acelem pek olmaz.`,
  'trait.warm': `Kahveni nasıl içtiğini unutmam.`,
  'daily.warm': `
    Mutluluk benim için {joy} ve bunu anlatacak biri.
    Her yolculuktan herkese küçük bir şey getiririm.
    Havaalanlarında duygulanırım, hem gidişte hem gelişte.
    Günümü güzelleştiren şey: {joy}.
  `,
  'daily.dry': `
    Belki lazım olur diye bir çekmecem var. Üç oldu.
    Markette hep en yavaş kasayı seçerim, bu bir yetenek.
    İyi park ederim, genelde ikinci denemede.
    Bitkilerim yaşıyor, teknik olarak.
  `,
  'daily.plain': `
    En sevdiklerim: {joy}, bir de {joy}.
    Akşamları yemek yapar, müzik dinler, çok geç yatmam.
    {under45}Hafta sonu arkadaşlarımı ve anneannemi görürüm.
    Çok çay içerim.
  `,
  'wish.warm': `
    Sessizliğin de rahat olduğu birini arıyorum.
    Küçük şeyler için birini isterim: market, yağmur, iyi haberler.
    Mükemmel olman gerekmez, içten ol yeter.
  `,
  'wish.dry': `
    Kavga etmeden kitaplık kuracak bir suç ortağı aranıyor.
    Tavlada zarif kaybetmeyi bilmelisin.
    Perde konusunda ikinci bir görüş aranıyor.
  `,
  'wish.plain': `
    Ciddi bir şey arıyorum ama acelem yok.
    Benim için dürüstlük ve gülmek önemli.
    Bir yürüyüşle başlayalım, gerisine bakarız.
    Buralardan, kendi hayatı olan ve paylaşmak isteyen biriyle tanışmak isterim.
  `,
  'closer.warm': `
    Yaz bana, hep cevap veririm.
    Tatlılar benden.
    Bugün seni ne gülümsetti, anlat.
  `,
  'closer.dry': `
    İade kabul edilmez.
    Benden bu kadar, sıra sende.
    Broşürün sonu.
  `,
  'closer.plain': `
    Hoşuna gittiyse mesaj at.
    Gerisini yüz yüze anlatırım.
    Bir kahve içelim mi?
  `,
  'headline.warm': `
    Balkonda bir sandalye boş
    Bol yürek, az acele
    Çay demlendi, gel
    Son böreği sana ayırırım
  `,
  'headline.dry': `
    Yüz yüze daha iyiyim, öyle diyorlar
    Aşk için kitaplık kurarım
    Az kullanılmış, temiz
    Kedim bu metni onayladı
  `,
  'headline.plain': `
    Dürüstlük ve güler yüz
    Bir kahveyle başlayalım
    {city}, {age}, hayata açık
    Az ekran, çok deniz
    İyi sohbet aranıyor
  `,
  'headline.interest': `
    {Like1} ve {like2}
    En çok {like1}
    {Like1}, {like2}, ya sen?
  `,
};

/** Words that Turkish lines pick from. */
export const words: Readonly<Record<string, string>> = {
  dish: `zeytinyağlı enginar, mantı, karnıyarık, mercimek çorbası, hamsili pilav, su böreği, kuru fasulye`,
  food: `lahmacun, künefe, balık ekmek, kokoreç, iskender`,
  joy: `taze ekmek, yağmur kokusu, vapurda çay, temiz çarşaf, kışın deniz, pazar gazetesi`,
  visited: `Lizbon, Gürcistan, Napoli, Karadeniz, Japonya, Saraybosna, Fas, İskoçya`,
  dogname: `Paşa, Boncuk, Zeytin, Duman, Karamel, Fındık`,
};

/** Phrases for "… çalışıyorum" by occupation. */
export const fields: Readonly<Record<string, string>> = {
  administration: 'bir ofiste',
  arts_and_media: 'küçük bir yayınevinde',
  business_and_finance: 'bir bankada',
  construction_and_trades: 'inşaat işinde',
  education: 'bir okulda',
  engineering: 'bir mühendislik bürosunda',
  health_care: 'hastanede',
  hospitality: 'turizmde',
  information_technology: 'bilişimde',
  law: 'bir hukuk bürosunda',
  public_service: 'belediyede',
  retail_and_sales: 'bir mağazada',
  science: 'bir laboratuvarda',
  transport: 'ulaşımda',
  self_employed: 'kendi işimde',
  other: 'küçük bir atölyede',
};

/** Short Turkish names of interests. */
export const likes: Readonly<Record<string, string>> = {
  camping: 'kamp, çadır',
  walking: 'uzun yürüyüşler, dağ yolları',
  running: 'sabah koşusu',
  photography: 'eski fotoğraf makineleri',
  gardening: 'balkon domatesi',
  traveling: 'trenler, plansız yollar',
  art: 'müzeler',
  theater: 'tiyatro',
  reading: 'polisiye, kalın romanlar, sahaflar',
  writing: 'öyküler',
  video_games: 'eski oyunlar',
  board_games: 'tavla, kutu oyunları',
  soccer: 'futbol',
  exercise: 'yüzmek, yoga',
  cooking: 'tencere yemekleri, mutfak',
  food: 'meze, güzel sofra',
  bars: 'meyhaneler',
  dancing: 'mutfakta dans',
  live_concerts: 'konserler, plaklar',
  singing: 'koro',
  movies: 'eski filmler',
  philosophy: 'büyük sorular',
  politics: 'iyi tartışmalar',
  astronomy: 'kayan yıldızlar',
};
