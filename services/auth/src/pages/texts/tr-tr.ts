import type { Texts } from './en-us.ts';

/** Turkish. */
export const trTR: Texts = {
  signIn: 'Oturum aç',
  login: 'Kullanıcı adı veya e-posta',
  password: 'Şifre',
  wrong: 'Kullanıcı adı veya e-posta ile şifre eşleşmiyor. Lütfen yeniden deneyin.',
  limited: 'Çok fazla deneme yapıldı. Lütfen {{minutes}} dk sonra yeniden deneyin.',
  suspended: 'Bu hesap askıya alındı. Lütfen müşteri hizmetlerine başvurun.',
  reactivate: 'Profilinizi yeniden etkinleştirin',
  reactivateWhy:
    'Profiliniz devre dışı. Her şeyi geri almak için kullanıcı adınızı veya e-postanızı ve şifrenizi bir kez daha girin.',
  otherAccount: 'Lütfen öncekiyle aynı kullanıcı adını veya e-postayı ve şifreyi girin.',
  staleForm: 'Bu form çok uzun süre açık kaldı. Lütfen yeniden deneyin.',
  chooseSite: 'Bir site seçin',
  chooseSiteWhy: 'Birden fazla sitenin üyesisiniz. Hangisinde oturum açmak istiyorsunuz?',
  errorTitle: 'Bu işe yaramadı',
  errorClient:
    'Sizi buraya gönderen uygulama tanınmıyor veya doğru kurulmamış. Lütfen geliştiricilerine bildirin.',
  errorExpired: 'Bu oturum açma işleminin süresi doldu. Lütfen uygulamaya dönüp yeniden başlayın.',
  errorOther: 'İstek anlaşılamadı. Lütfen uygulamaya dönüp yeniden başlayın.',
  errorAway: 'Şu anda oturumunuzu açamıyoruz. Lütfen birazdan yeniden deneyin.',
  errorCode: 'Hata: {{code}}',
  signOut: 'Oturumu kapat',
  signOutWhy: 'Bu tarayıcıda oturumu kapatmak istiyor musunuz?',
  signOutEverywhere: 'Her yerde oturumu kapat',
  signOutEverywhereWhy: 'Böylece diğer tüm uygulama ve tarayıcılardaki oturumlarınız da kapanır.',
  signedOut: 'Oturumunuz kapatıldı',
  signedOutWhy: 'Bu sayfayı kapatabilirsiniz.',
};
